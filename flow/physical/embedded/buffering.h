// Buffers on the nets: which nets get them, for load and slew, or for speed.

#pragma once

#include "buffer_tree.h"
#include "clusters.h"

namespace physical {

class Buffering {
  public:
    int inserted = 0, removed = 0;

    // max_slew: slew at the output of a driver that its load may cause, ns.
    Buffering(Timer& timer, float max_slew)
        : timer_(timer), netlist_(timer.netlist), tree_(timer, max_slew) {}

    // Divide the sinks of nets with many among buffers, in as many levels as it takes.
    void divide_fan_outs() {
        Clusters clusters(netlist_, MOST_SINKS, NO_LIMIT, netlist_.wiring.signal_ff_per_um);
        int kind = netlist_.library.buffers[netlist_.library.buffers.size() / 2];
        for (int net = 0, count = int(netlist_.nets.size()); net < count; net++) {
            while (netlist_.nets[net].used() && !netlist_.nets[net].clock &&
                   int(netlist_.nets[net].pins.size()) > MOST_SINKS + 1) {
                std::vector<int> sinks(netlist_.nets[net].pins.begin() + 1,
                                       netlist_.nets[net].pins.end());
                for (const auto& group : clusters.of(sinks)) {
                    if (group.size() < 2) continue;
                    auto [x, y] = clusters.middle(group);
                    netlist_.insert_buffer(net, kind, x, y, group);
                    inserted++;
                }
                timer_.reorder = true;
            }
        }
    }

    // Insert buffers where a driver's load is above its limits; the fewest that suffice.
    void limit_loads() {
        for (int net = 0, count = int(netlist_.nets.size()); net < count; net++) {
            const Net& wires = netlist_.nets[net];
            if (!wires.used() || wires.clock || netlist_.is_tie(net)) continue;
            float load = std::max(wires.load[RISE], wires.load[FALL]);
            float longest = 0;
            for (size_t i = 1; i < wires.pins.size(); i++)
                longest = std::max(longest, netlist_.elmore[wires.pins[i]]);
            if (load <= tree_.limit_at(wires.pins[0]) && longest <= 1.2f * BufferTree::LONGEST_WIRE) continue;
            std::vector<int> sinks(wires.pins.begin() + 1, wires.pins.end());
            tree_.solve(net, sinks, false);
            int root = tree_.cheapest(tree_.limit_at(wires.pins[0]));
            inserted += tree_.insert(net, root);
        }
    }

    // Nets whose slack is below `below`, the slowest first; without those of buffers that were
    // inserted, which belong to the nets before them.
    std::vector<int> slow_nets(float below) const {
        std::vector<std::pair<float, int>> found;
        for (int net = 0; net < int(netlist_.nets.size()); net++) {
            const Net& wires = netlist_.nets[net];
            if (!wires.used() || wires.clock) continue;
            int owner = netlist_.pin_instance[wires.pins[0]];
            if (owner >= netlist_.given && netlist_.is(owner, BUFFER)) continue;
            float slack = timer_.slack(wires.pins[0]);
            if (slack < below) found.emplace_back(slack, net);
        }
        std::sort(found.begin(), found.end());
        std::vector<int> nets;
        for (auto [slack, net] : found) nets.push_back(net);
        return nets;
    }

    // Buffer nets anew where that makes them faster. Return those that changed.
    std::vector<int> speed_up(const std::vector<int>& nets, float below) {
        std::vector<int> changed;
        for (int net : nets)
            if (improve(net, below)) changed.push_back(net);
        if (!changed.empty()) timer_.reorder = true;
        return changed;
    }

  private:
    static constexpr int MOST_SINKS = 40;        // of a net, before speed is repaired
    static constexpr float LEAST_GAIN = 0.002f;  // ns
    static constexpr size_t MOST_GATHERED = 48;  // sinks of a net that is buffered anew as a whole

    Timer& timer_;
    Netlist& netlist_;
    BufferTree tree_;

    // Sinks of a net that are not buffers of ours, and those of the buffers.
    void gather(int net, std::vector<int>& sinks, std::vector<int>& buffers) const {
        for (size_t s = 1; s < netlist_.nets[net].pins.size(); s++) {
            int pin = netlist_.nets[net].pins[s], owner = netlist_.pin_instance[pin];
            if (owner >= netlist_.given && netlist_.is(owner, BUFFER)) {
                buffers.push_back(owner);
                gather(netlist_.output_net(owner), sinks, buffers);
            } else {
                sinks.push_back(pin);
            }
        }
    }

    bool improve(int net, float below) {
        std::vector<int> sinks, buffers;
        gather(net, sinks, buffers);
        if (sinks.size() > MOST_GATHERED) {  // only the net itself, with the buffers as its sinks
            buffers.clear();
            sinks.assign(netlist_.nets[net].pins.begin() + 1, netlist_.nets[net].pins.end());
        }
        if (sinks.size() < 2 && netlist_.nets[net].tree.length() < BufferTree::STEP) return false;
        float before = NEVER;
        for (int pin : sinks) before = std::min(before, timer_.slack(pin));
        if (before >= below) return false;
        tree_.solve(net, sinks, true);
        int source = netlist_.driver(net), owner = netlist_.pin_instance[source];
        float limit = tree_.limit_at(source);
        int best = -1;
        float best_slack = before + LEAST_GAIN;
        for (int c : tree_.roots()) {
            const BufferTree::Choice& choice = tree_[c];
            if (choice.load > limit) continue;
            float load[2] = {choice.load, choice.load};
            auto w = timer_.output(owner, netlist_.kind[owner], source - netlist_.pin0[owner], load);
            float later = std::max(w.arrival[0] - timer_.arrival[2 * source],
                                   w.arrival[1] - timer_.arrival[2 * source + 1]);
            later += DELAY_PER_SLEW * std::max(w.slew[0], w.slew[1]);
            float slack = std::min(choice.time - later, below);
            // Area decides among choices that are nearly as fast.
            if (slack > best_slack + LEAST_GAIN / 4 ||
                (best >= 0 && slack > best_slack - LEAST_GAIN / 4 &&
                 choice.area < tree_[best].area))
                best = c, best_slack = slack;
        }
        if (best < 0) return false;
        for (int buffer : buffers) netlist_.remove_buffer(buffer);
        removed += int(buffers.size());
        inserted += tree_.insert(net, best);
        return true;
    }
};

}  // namespace physical
