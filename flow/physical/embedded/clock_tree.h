// The clock tree: from the clock's port to all registers through the same number of levels.
//
// Registers are driven by leaves: clock gates for registers that are gated, buffers for all others.
// A gate whose registers lie far apart gets copies. Above the leaves, each node drives two or four
// nodes, in the halves or quarters of what it reaches, so that all are about equally far away; nodes
// of the lowest level drive leaves. All nodes of a level have the same number of sinks. Sizes are
// chosen level by level, from the port on, so that the latencies of each level are nearly equal.

#pragma once

#include <map>

#include "clusters.h"
#include "timer.h"

namespace physical {

class ClockTree {
  public:
    int buffers = 0, copies = 0, levels = 0;

    ClockTree(Timer& timer, const ClockTreeOptions& options)
        : timer_(timer), netlist_(timer.netlist), options_(options),
          clusters_(netlist_, int(options.most_sinks), options.leaf_load_ff,
                    netlist_.wiring.clock_ff_per_um) {}

    void build() {
        root_ = root();
        if (root_ < 0) return;
        std::vector<int> plain, leaves;
        for (int pin : sinks(root_)) {
            int owner = netlist_.pin_instance[pin];
            if (netlist_.is(owner, GATE)) gather_gate(owner, leaves);
            else plain.push_back(pin);
        }
        for (auto& group : clusters_.of(plain)) leaves.push_back(leaf(group));
        std::vector<int> inputs;
        for (int owner : leaves) inputs.push_back(clock_input(owner));
        plan(inputs);
        weigh(inputs);
        levels = int(ways_.size());
        nodes_.assign(levels + 1, {});
        node(inputs, 0, root_);
        nodes_.push_back(leaves);
        netlist_.mark_clock();
        timer_.reorder = true;
        timer_.clock.ideal = false;
    }

    // Choose sizes, level by level, so that latencies are nearly equal. Of the targets that are
    // tried, the one is taken that leaves least to repair.
    void balance(float period) {
        const State before = netlist_;
        const int built = buffers;
        State best;
        int best_buffers = built;
        double least = NEVER;
        for (double share : SHARES_IN_TIME) {
            restore(before);
            buffers = built;
            for (int sweep = 0; sweep < SWEEPS; sweep++) {
                for (const auto& level : nodes_) {
                    timer_.run(period);
                    equalize(level, sweep == 0, &level == &nodes_.back() ? share : 1);
                }
            }
            timer_.run(period);
            if (double found = violations(); found < least) {
                least = found;
                best = netlist_;
                best_buffers = buffers;
            }
        }
        if (least < NEVER) {
            restore(best);
            buffers = best_buffers;
        }
        timer_.run(period);
        timer_.clock.port_latency = timer_.mean_latency();
        timer_.run(period);
    }

  private:
    Timer& timer_;
    Netlist& netlist_;
    const ClockTreeOptions& options_;
    const Clusters clusters_;
    int root_ = -1;
    std::vector<int> ways_;                 // nodes that a node of each level drives
    std::map<int, double> weight_;          // load of each leaf's input, fF
    std::vector<std::vector<int>> nodes_;   // of each level, from the port on; the leaves are last

    static constexpr int SWEEPS = 2;
    // Shares of the leaves that can reach the target: a few slow ones need not decide it.
    static constexpr double SHARES_IN_TIME[] = {1, 0.95, 0.9};
    static constexpr float LEAF_TIME = 0.01f;  // ns
    static constexpr float FAR_EARLY = 0.03f;  // about the delay of a buffer with a small load, ns

    void restore(const State& state) {
        static_cast<State&>(netlist_) = state;
        timer_.reorder = true;
    }

    // Sum of what setup and hold checks lack, ns.
    double violations() {
        std::vector<std::pair<float, int>> early;
        timer_.hold(0, &early);
        double sum = -timer_.total;
        for (auto [slack, pin] : early) sum -= slack;
        return sum;
    }

    // Choose two or four ways for each level: four if the wires are not too much for a buffer.
    void plan(const std::vector<int>& leaves) {
        int x0 = 1 << 30, x1 = 0, y0 = 1 << 30, y1 = 0;
        for (int pin : leaves) {
            auto [x, y] = netlist_.place(pin);
            x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, y), y1 = std::max(y1, y);
        }
        double side = leaves.empty() ? 0 : std::sqrt(double(x1 - x0 + 1) * double(y1 - y0 + 1));
        double ff = netlist_.wiring.clock_ff_per_um / netlist_.wiring.dbu_per_um;
        double count = double(leaves.size());
        while (count > double(options_.most_leaves)) {
            bool four = 1.5 * side * ff <= options_.node_load_ff;
            ways_.push_back(four ? 4 : 2);
            side /= four ? 2 : std::sqrt(2.0);
            count /= ways_.back();
        }
    }

    // Choose the sizes of a level's nodes. The target is what a share of the nodes can reach; for
    // leaves, which are most of the tree's area, a little later: smaller ones then do. With
    // `delay`, nodes that are far too early at their slowest size get a buffer before them.
    void equalize(const std::vector<int>& level, bool delay, double share) {
        std::vector<float> fastest;
        std::vector<std::vector<std::pair<int, float>>> choices(level.size());
        for (size_t i = 0; i < level.size(); i++) {
            float least = NEVER;
            for (int kind : sizes(level[i])) {
                float at = latency(level[i], kind);
                if (at == NEVER) continue;
                choices[i].emplace_back(kind, at);
                least = std::min(least, at);
            }
            if (least < NEVER) fastest.push_back(least);
        }
        if (fastest.empty()) return;
        size_t most = size_t(share * double(fastest.size() - 1));
        std::nth_element(fastest.begin(), fastest.begin() + most, fastest.end());
        float target = fastest[most] + (&level == &nodes_.back() ? LEAF_TIME : 0);
        for (size_t i = 0; i < level.size(); i++) {
            int best = netlist_.kind[level[i]];
            float nearest = NEVER;
            for (auto [kind, at] : choices[i]) {
                float off = std::abs(at - target);
                if (off < nearest - 0.0005f) nearest = off, best = kind;
            }
            if (best != netlist_.kind[level[i]]) netlist_.resize(level[i], best);
            float slowest = -NEVER;
            for (auto [kind, at] : choices[i]) slowest = std::max(slowest, at);
            if (delay && slowest < target - FAR_EARLY && slowest > -NEVER) put_before(level[i]);
        }
    }

    void put_before(int instance) {
        int pin = clock_input(instance), kind = netlist_.library.clock_buffers[0];
        netlist_.insert_buffer(netlist_.pin_net[pin], kind, netlist_.x[instance],
                               netlist_.y[instance], {pin});
        timer_.reorder = true;
        buffers++;
    }

    int root() const {
        for (size_t n = 0; n < netlist_.nets.size(); n++) {
            const Net& net = netlist_.nets[n];
            if (net.used() && net.clock && netlist_.is(netlist_.pin_instance[net.pins[0]], INPUT))
                return int(n);
        }
        return -1;
    }

    std::vector<int> sinks(int net) const {
        return {netlist_.nets[net].pins.begin() + 1, netlist_.nets[net].pins.end()};
    }

    int clock_input(int instance) const {
        const Kind& k = netlist_.cell(instance);
        int position = k.clock_pin >= 0 ? k.clock_pin : netlist_.pin_of(netlist_.kind[instance], false);
        return netlist_.pin0[instance] + position;
    }

    void put(int instance, std::pair<int, int> at) {
        netlist_.x[instance] = at.first - netlist_.cell(instance).width / 2;
        netlist_.y[instance] = at.second - netlist_.cell(instance).height / 2;
        netlist_.moved(instance);
    }

    // Put a gate between its registers; make copies if they are too many or too far apart.
    void gather_gate(int gate, std::vector<int>& leaves) {
        int net = netlist_.output_net(gate);
        auto groups = clusters_.of(sinks(net));
        const Kind& k = netlist_.cell(gate);
        for (size_t g = 0; g < groups.size(); g++) {
            int owner = gate;
            if (g) {
                owner = netlist_.add(netlist_.kind[gate], 0, 0, netlist_.original(gate));
                for (size_t p = 0; p < k.pins.size(); p++) {
                    int own = netlist_.pin0[owner] + int(p);
                    netlist_.connect(own, k.pins[p].output
                                              ? netlist_.new_net()
                                              : netlist_.pin_net[netlist_.pin0[gate] + p]);
                }
                for (int pin : groups[g]) netlist_.connect(pin, netlist_.output_net(owner));
                copies++;
            }
            put(owner, clusters_.middle(groups[g]));
            leaves.push_back(owner);
        }
    }

    int buffer_kind() const { return netlist_.library.clock_buffers.back(); }

    int leaf(const std::vector<int>& pins) { return drive(pins, root_); }

    // Insert a buffer that drives the given pins, and is driven by a net.
    int drive(const std::vector<int>& pins, int net) {
        auto [x, y] = clusters_.middle(pins);
        buffers++;
        return netlist_.insert_buffer(net, buffer_kind(), x, y, pins);
    }

    // Drive pins from a net through a node of a level and the nodes below it.
    void node(std::vector<int> pins, int level, int net) {
        if (level == int(ways_.size())) {
            nodes_[level].push_back(drive(pins, net));
            return;
        }
        auto [x, y] = clusters_.middle(pins);
        buffers++;
        int owner = netlist_.insert_buffer(net, buffer_kind(), x, y, {});
        nodes_[level].push_back(owner);
        std::vector<std::vector<int>> parts = halves(pins, clusters_.wide(pins));
        if (ways_[level] == 4) {
            auto first = halves(parts[0], !clusters_.wide(pins));
            auto second = halves(parts[1], !clusters_.wide(pins));
            parts = {first[0], first[1], second[0], second[1]};
        }
        for (auto& part : parts)
            if (!part.empty()) node(part, level + 1, netlist_.output_net(owner));
    }

    // Divide pins by place into two parts of about the same load.
    std::vector<std::vector<int>> halves(std::vector<int> pins, bool across) const {
        if (pins.size() < 2) return {{}, pins};
        std::sort(pins.begin(), pins.end(), [&](int a, int b) {
            auto [ax, ay] = netlist_.place(a);
            auto [bx, by] = netlist_.place(b);
            return across ? std::make_tuple(ax, ay, a) < std::make_tuple(bx, by, b)
                          : std::make_tuple(ay, ax, a) < std::make_tuple(by, bx, b);
        });
        double half = 0;
        for (int pin : pins) half += weight_.at(pin) / 2;
        size_t at = 0;
        for (double sum = 0; at < pins.size() && sum + weight_.at(pins[at]) / 2 < half; at++)
            sum += weight_.at(pins[at]);
        at = std::min(std::max<size_t>(at, 1), pins.size() - 1);
        return {{pins.begin(), pins.begin() + at}, {pins.begin() + at, pins.end()}};
    }

    // Load of a leaf's input: its pin, and about the wire that it takes to reach it.
    void weigh(const std::vector<int>& pins) {
        double ff = netlist_.wiring.clock_ff_per_um / netlist_.wiring.dbu_per_um;
        for (int pin : pins) {
            auto [x, y] = netlist_.place(pin);
            int64_t nearest = 1 << 30;
            for (int other : pins) {
                if (other == pin) continue;
                auto [ox, oy] = netlist_.place(other);
                nearest = std::min<int64_t>(nearest, std::abs(ox - x) + std::abs(oy - y));
            }
            weight_[pin] = netlist_.capacitance(pin, RISE) + ff * double(nearest);
        }
    }

    std::vector<int> sizes(int leaf) const {
        if (netlist_.is(leaf, CLOCK_BUFFER)) return netlist_.library.clock_buffers;
        return netlist_.library.families[netlist_.cell(leaf).family];
    }

    // Latest latency behind a leaf of some size; NEVER if its load or slew is too large.
    float latency(int leaf, int kind) const {
        int net = netlist_.output_net(leaf), position = netlist_.pin_of(netlist_.kind[leaf], true);
        const Net& wires = netlist_.nets[net];
        if (wires.pins.size() < 2) return NEVER;
        auto w = timer_.output(leaf, kind, position, wires.load);
        const KindPin& out = netlist_.library.kinds[kind].pins[position];
        bool fits = std::max(wires.load[0], wires.load[1]) <= out.limit &&
                    w.slew[RISE] <= options_.slew_ns;
        if (!fits && kind != sizes(leaf).back()) return NEVER;
        double sum = 0;
        for (size_t s = 1; s < wires.pins.size(); s++) sum += netlist_.elmore[wires.pins[s]];
        return w.arrival[RISE] + float(sum / double(wires.pins.size() - 1));
    }
};

}  // namespace physical
