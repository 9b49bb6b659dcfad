// Repairs a placed netlist: loads and slews within their limits, then speed, then area.

#pragma once

#include <map>

#include "adders.h"
#include "buffering.h"
#include "sizing.h"

namespace physical {

class Repair {
  public:
    int resized = 0, shrunk = 0, rebuffered = 0, rounds = 0;

    Repair(Timer& timer, float max_slew)
        : timer_(timer), netlist_(timer.netlist), buffering_(timer, max_slew), sizing_(timer),
          adders_(timer, max_slew) {}

    Buffering& buffering() { return buffering_; }
    Adders& adders() { return adders_; }

    // Remove all buffers of the data: by place, others are inserted.
    int remove_buffers() {
        int count = 0;
        for (int i = 0; i < netlist_.count(); i++) {
            if (!netlist_.is(i, BUFFER)) continue;
            int out = netlist_.output_net(i);
            if (out < 0 || netlist_.nets[out].clock) continue;
            netlist_.remove_buffer(i);
            count++;
        }
        timer_.reorder = true;
        return count;
    }

    // Insert buffers and enlarge drivers until no load or slew is above its limit, or no more helps.
    void limit(float period) {
        buffering_.divide_fan_outs();
        for (int pass = 0; pass < 3; pass++) {
            timer_.run(period);
            enlarge_drivers();
            netlist_.update_wires();
            int before = buffering_.inserted;
            buffering_.limit_loads();
            if (buffering_.inserted == before) break;
        }
        timer_.run(period);
    }

    // Make all paths faster that are longer than the period.
    void speed_up(float period, int most_rounds) {
        timer_.run(period);
        State best = netlist_;
        float best_worst = timer_.worst;
        double best_total = timer_.total;
        int stuck = 0;
        for (rounds = 0; rounds < most_rounds && timer_.worst < 0 && stuck < PATIENCE; rounds++) {
            // All failing paths, in turn with the slowest ones, whose cells the others hide.
            bool slowest = rounds % 2;
            float below = slowest ? timer_.worst * 0.7f : 0;
            weight_ = slowest ? 400 : 20;
            buffer(period, below);
            for (int pass = 0; pass < 8 && resize(period, below); pass++) {}
            bool as_fast = timer_.worst > best_worst - NO_CHANGE;
            bool better = timer_.worst > best_worst + LEAST_GAIN ||
                          (as_fast && timer_.total > best_total * 0.99);
            stuck = better ? 0 : stuck + 1;
            if (!as_fast || (timer_.worst < best_worst + NO_CHANGE && timer_.total <= best_total))
                continue;
            best = netlist_;
            best_worst = timer_.worst;
            best_total = timer_.total;
        }
        if (timer_.worst < best_worst - NO_CHANGE || timer_.total < best_total - NO_CHANGE)
            restore(best, period);
    }

    // Take area back where the slack stays above `above`, and no path gets slower that is too slow.
    void recover(float period, float above) {
        timer_.run(period);
        int most = netlist_.count();
        for (int pass = 0; pass < 20 && most > 8; pass++) {
            float worst = std::min(timer_.worst, 0.0f);
            double total = timer_.total;
            auto changes = sizing_.shrink(above, most);
            int made = int(changes.size());
            timer_.run(period);
            // Cells share the slack of a path: those on paths that are too slow now are undone.
            for (int tries = 0; tries < 3 && timer_.is_worse(worst, total); tries++) {
                std::vector<Sizing::Change> kept, undone;
                for (const auto& change : changes)
                    (timer_.slack_of(change.instance) < above / 2 ? undone : kept).push_back(change);
                sizing_.undo(undone);
                timer_.run(period);
                changes = kept;
            }
            if (timer_.is_worse(worst, total)) {
                sizing_.undo(changes);
                timer_.run(period);
                changes.clear();
                most = made / 4;
            }
            shrunk += int(changes.size());
            if (!made || (changes.size() < 8 && most > made / 4)) break;
        }
    }

  private:
    static constexpr float LEAST_GAIN = 0.001f;  // ns
    static constexpr float NO_CHANGE = 1e-5f;    // ns
    static constexpr int TRIALS = 24;            // sets of nets that a round buffers anew
    static constexpr int PATIENCE = 6;           // rounds without a gain

    Timer& timer_;
    Netlist& netlist_;
    Buffering buffering_;
    Sizing sizing_;
    Adders adders_;
    double weight_ = 20;
    std::map<int, float> tried_;  // nets that buffers did not make faster, and their slack then

    // Choose a stronger cell where a load is above the limit of its driver, and a stronger one is;
    // in the clock tree, too, whose sizes were chosen before those that they drive.
    void enlarge_drivers() {
        for (int i : timer_.order()) {
            const Kind& k = netlist_.cell(i);
            bool of_clock = netlist_.of_clock(i);
            if (k.family < 0 || (of_clock && timer_.clock.ideal)) continue;
            for (size_t p = 0; p < k.pins.size(); p++) {
                int net = netlist_.pin_net[netlist_.pin0[i] + p];
                if (!k.pins[p].output || net < 0) continue;
                const Net& wires = netlist_.nets[net];
                float load = std::max(wires.load[0], wires.load[1]);
                if (load <= k.pins[p].limit || (!of_clock && wires.pins.size() > 20)) continue;
                for (int other : netlist_.library.families[k.family]) {
                    if (netlist_.library.kinds[other].pins[p].limit >= load) {
                        netlist_.resize(i, other);
                        resized++;
                        break;
                    }
                }
                break;
            }
        }
    }

    bool resize(float period, float below) {
        int most = std::max(64, netlist_.count() / 20);
        while (most >= 2) {
            double score = this->score();
            auto changes = sizing_.speed_up(below, most);
            int made = int(changes.size());
            if (!made) return false;
            timer_.run(period);
            // Undo what did not help where it was made, and see whether the rest helps.
            for (int tries = 0; tries < 2 && !changes.empty(); tries++) {
                std::vector<Sizing::Change> kept, undone;
                for (const auto& c : changes) {
                    float slack = timer_.slack_of(c.instance);
                    (slack < c.slack - 1e-4f && slack < 0 ? undone : kept).push_back(c);
                }
                if (undone.empty()) break;
                sizing_.undo(undone);
                timer_.run(period);
                changes = kept;
            }
            if (this->score() > score) {
                resized += int(changes.size());
                return timer_.worst < 0;
            }
            sizing_.undo(changes);
            timer_.run(period);
            most = std::min(most, made) / 4;
        }
        return false;
    }

    void buffer(float period, float below) {
        int trials = TRIALS;
        std::vector<int> nets;
        for (int net : buffering_.slow_nets(below)) {
            auto tried = tried_.find(net);
            if (tried == tried_.end() || std::abs(tried->second - slack_of(net)) > LEAST_GAIN)
                nets.push_back(net);
        }
        try_nets(period, below, nets, trials);
    }

    // Buffer nets anew; if that is worse for the whole, try the halves of those that changed.
    void try_nets(float period, float below, const std::vector<int>& nets, int& trials) {
        if (nets.empty() || trials-- <= 0) return;
        double score = this->score();
        State kept = netlist_;
        std::vector<int> changed = buffering_.speed_up(nets, below);
        if (changed.empty()) return;
        timer_.run(period);
        if (this->score() > score) {
            rebuffered += int(changed.size());
            return;
        }
        restore(kept, period);
        if (changed.size() < 2) {
            tried_[changed[0]] = slack_of(changed[0]);
            return;
        }
        size_t half = changed.size() / 2;
        try_nets(period, below, {changed.begin(), changed.begin() + half}, trials);
        try_nets(period, below, {changed.begin() + half, changed.end()}, trials);
    }

    float slack_of(int net) const { return timer_.slack(netlist_.driver(net)); }

    void restore(const State& state, float period) {
        static_cast<State&>(netlist_) = state;
        timer_.reorder = true;
        timer_.run(period);
    }

    // What the repair makes larger: the sum of all negative slacks, and the worst one, weighted.
    double score() const { return timer_.total + weight_ * std::min(timer_.worst, 0.0f); }
};

}  // namespace physical
