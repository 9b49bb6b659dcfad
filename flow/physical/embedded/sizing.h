// Sizes of cells: stronger ones where paths are too slow, smaller ones where there is slack.
//
// A change is judged by what lies around it: the drivers of the cell's inputs, which get another
// load, the other sinks of these nets, and the cell's own output. Of each pass many cells are
// changed; no cell is changed whose surroundings have changed in the same pass.

#pragma once

#include "timer.h"

namespace physical {

class Sizing {
  public:
    Sizing(Timer& timer) : timer_(timer), netlist_(timer.netlist) {}

    struct Change { int instance, before; float slack; };

    // Enlarge cells (or choose faster sizes) whose slack is below `below`. At most `most` changes.
    std::vector<Change> speed_up(float below, int most) {
        std::vector<std::pair<float, int>> found;
        for (int i : timer_.order()) {
            if (!sizable(i)) continue;
            float slack = timer_.slack_of(i);
            if (slack < below) found.emplace_back(slack, i);
        }
        std::sort(found.begin(), found.end());
        locked_.assign(netlist_.count(), 0);
        std::vector<Change> changes;
        for (auto [slack, i] : found) {
            if (int(changes.size()) >= most) break;
            if (locked_[i]) continue;
            float least_gain = 2 * std::abs(slack) * LEAST_GAIN;
            float best_cost = around(i, netlist_.kind[i]).cost - least_gain;
            int best = -1;
            for (int k : netlist_.library.families[netlist_.cell(i).family]) {
                if (k == netlist_.kind[i] || !fits(i, k)) continue;
                float cost = around(i, k).cost;
                // A larger size must bring more than its area: the families are sorted by area.
                if (cost < best_cost) best = k, best_cost = cost - least_gain;
            }
            if (best >= 0) change(i, best, changes);
        }
        return changes;
    }

    // Choose smaller sizes where the slack around a cell stays above `above`.
    std::vector<Change> shrink(float above, int most) {
        std::vector<std::pair<float, int>> found;
        for (int i : timer_.order()) {
            if (!sizable(i)) continue;
            const auto& family = netlist_.library.families[netlist_.cell(i).family];
            if (family[0] == netlist_.kind[i]) continue;
            float slack = timer_.slack_of(i);
            if (slack > above) found.emplace_back(-slack, i);
        }
        std::sort(found.begin(), found.end());
        locked_.assign(netlist_.count(), 0);
        std::vector<Change> changes;
        for (auto [slack, i] : found) {
            if (int(changes.size()) >= most) break;
            if (locked_[i]) continue;
            for (int k : netlist_.library.families[netlist_.cell(i).family]) {
                if (k == netlist_.kind[i]) break;
                if (!fits(i, k)) continue;
                float after = around(i, k).least;
                if (after > above && -slack - after < SHARE * (-slack - above)) {
                    change(i, k, changes);
                    break;
                }
            }
        }
        return changes;
    }

    void undo(const std::vector<Change>& changes) {
        for (auto c = changes.rbegin(); c != changes.rend(); ++c) netlist_.resize(c->instance, c->before);
    }

  private:
    static constexpr float LEAST_GAIN = 0.0005f;  // ns
    static constexpr float SHARE = 0.25f;         // of a path's slack, at most, for one cell

    Timer& timer_;
    Netlist& netlist_;
    std::vector<char> locked_;

    bool sizable(int i) const {
        if (netlist_.kind[i] < 0 || netlist_.cell(i).family < 0) return false;
        return !netlist_.of_clock(i) &&
               netlist_.library.families[netlist_.cell(i).family].size() > 1;
    }

    // Whether no limit of load or slew is broken that the present size keeps.
    bool fits(int i, int k) const {
        const Kind& now = netlist_.cell(i);
        const Kind& then = netlist_.library.kinds[k];
        for (size_t p = 0; p < then.pins.size(); p++) {
            int pin = netlist_.pin0[i] + int(p), net = netlist_.pin_net[pin];
            if (net < 0) continue;
            const Net& wires = netlist_.nets[net];
            float load = std::max(wires.load[RISE], wires.load[FALL]);
            if (then.pins[p].output) {
                if (then.pins[p].limit < now.pins[p].limit && load > then.pins[p].limit) return false;
                if (then.area < now.area) {
                    auto w = timer_.output(i, k, int(p), wires.load);
                    if (std::max(w.slew[0], w.slew[1]) > netlist_.library.max_slew) return false;
                }
            } else {
                float more = then.pins[p].capacitance[RISE] - now.pins[p].capacitance[RISE];
                if (more > 0 && load + more > netlist_.type(wires.pins[0]).limit &&
                    stronger(wires.pins[0], load + more) < 0)
                    return false;
            }
        }
        return true;
    }

    // Smallest size of a pin's instance that may drive a load; -1: there is none.
    int stronger(int pin, float load) const {
        int owner = netlist_.pin_instance[pin];
        if (!sizable(owner)) return -1;
        for (int k : netlist_.library.families[netlist_.cell(owner).family])
            if (netlist_.library.kinds[k].pins[pin - netlist_.pin0[owner]].limit >= load) return k;
        return -1;
    }

    // Slacks around an instance: the smallest, and the sum of the squares of those below 0. With the
    // sum, a cell may help one path more than it harms others, which are then helped in turn.
    struct Around {
        float least = NEVER, cost = 0;

        void add(float slack) {
            least = std::min(least, slack);
            if (slack < 0) cost += slack * slack;
        }
    };

    // What the slacks around an instance would be if it had the kind `k`.
    Around around(int i, int k) const {
        const Kind& now = netlist_.cell(i);
        const Kind& then = netlist_.library.kinds[k];
        constexpr int MOST = 64;
        float shift[2 * MOST], slews[2 * MOST];
        Around found;
        for (size_t p = 0; p < then.pins.size() && p < MOST; p++) {
            shift[2 * p] = shift[2 * p + 1] = slews[2 * p] = slews[2 * p + 1] = 0;
            int pin = netlist_.pin0[i] + int(p), net = netlist_.pin_net[pin];
            if (then.pins[p].output || net < 0) continue;
            const Net& wires = netlist_.nets[net];
            if (wires.clock) continue;
            int source = wires.pins[0], driver = netlist_.pin_instance[source];
            float load[2];
            for (int e : {RISE, FALL})
                load[e] = wires.load[e] + then.pins[p].capacitance[e] - now.pins[p].capacitance[e];
            auto w = timer_.output(driver, netlist_.kind[driver],
                                   source - netlist_.pin0[driver], load);
            float later = 0;
            for (int e : {RISE, FALL}) {
                shift[2 * p + e] = w.arrival[e] - timer_.arrival[2 * source + e];
                slews[2 * p + e] = w.slew[e] - timer_.slew[2 * source + e];
                later = std::max(later, shift[2 * p + e] + DELAY_PER_SLEW * slews[2 * p + e]);
            }
            if (k == netlist_.kind[i]) later = 0;
            for (size_t s = 1; s < wires.pins.size(); s++)
                if (wires.pins[s] != pin) found.add(timer_.slack(wires.pins[s]) - later);
        }
        for (size_t p = 0; p < then.pins.size(); p++) {
            int pin = netlist_.pin0[i] + int(p), net = netlist_.pin_net[pin];
            if (!then.pins[p].output || net < 0) continue;
            auto w = timer_.output(i, k, int(p), netlist_.nets[net].load, shift, slews);
            float own = NEVER;
            for (int e : {RISE, FALL}) {
                float slower = DELAY_PER_SLEW * (w.slew[e] - timer_.slew[2 * pin + e]);
                own = std::min(own, timer_.required[2 * pin + e] - w.arrival[e] - slower);
            }
            found.add(own);
        }
        for (const Check& check : then.checks) {
            if (check.hold) continue;
            int data = netlist_.pin0[i] + check.data, at = netlist_.pin0[i] + check.clock;
            float own = NEVER;
            for (int e : {RISE, FALL}) {
                if (check.tables[e] < 0) continue;
                float need = timer_.look(check.tables[e], timer_.slew[2 * data + e],
                                         timer_.slew[2 * at]);
                own = std::min(own, timer_.period + timer_.latency(i, at) - need -
                                        timer_.arrival[2 * data + e] - shift[2 * check.data + e]);
            }
            found.add(own);
        }
        return found;
    }

    void change(int i, int k, std::vector<Change>& changes) {
        changes.push_back({i, netlist_.kind[i], timer_.slack_of(i)});
        for (size_t p = 0; p < netlist_.cell(i).pins.size(); p++) {
            int net = netlist_.pin_net[netlist_.pin0[i] + p];
            if (net < 0 || netlist_.nets[net].clock) continue;
            for (int pin : netlist_.nets[net].pins) locked_[netlist_.pin_instance[pin]] = 1;
        }
        netlist_.resize(i, k);
        // Where that is too much for a driver, it becomes stronger, too.
        for (size_t p = 0; p < netlist_.cell(i).pins.size(); p++) {
            int net = netlist_.pin_net[netlist_.pin0[i] + p];
            if (net < 0 || netlist_.nets[net].clock || netlist_.cell(i).pins[p].output) continue;
            int source = netlist_.driver(net), owner = netlist_.pin_instance[source];
            float load = netlist_.nets[net].wire;
            for (size_t s = 1; s < netlist_.nets[net].pins.size(); s++)
                load += netlist_.capacitance(netlist_.nets[net].pins[s], RISE);
            if (load <= netlist_.type(source).limit) continue;
            if (int larger = stronger(source, load); larger >= 0) {
                changes.push_back({owner, netlist_.kind[owner], timer_.slack_of(owner)});
                netlist_.resize(owner, larger);
            }
        }
    }
};

}  // namespace physical
