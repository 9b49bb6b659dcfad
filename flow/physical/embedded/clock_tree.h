// The clock tree: from the clock's port to all registers through the same number of levels.
//
// Registers are driven by leaves: clock gates for registers that are gated, buffers for all others.
// A gate whose registers lie far apart gets copies. Above the leaves, each node drives four nodes,
// in the four quarters of what it reaches, so that all are about equally far away; nodes of the
// lowest level drive leaves. Sizes of leaves are chosen so that all registers see the same latency.

#pragma once

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
        levels = 0;
        for (size_t n = inputs.size(); n > size_t(options_.most_leaves); n = (n + 3) / 4) levels++;
        node(inputs, levels, root_);
        netlist_.mark_clock();
        timer_.reorder = true;
        timer_.clock.ideal = false;
        leaves_ = leaves;
    }

    // Choose sizes of the leaves so that latencies are nearly equal. Return the rest of the skew.
    void balance(float period) {
        for (int pass = 0; pass < 6; pass++) {
            timer_.run(period);
            // The slowest leaf at its fastest size decides what all can reach.
            float target = 0;
            std::vector<std::vector<std::pair<int, float>>> choices(leaves_.size());
            for (size_t i = 0; i < leaves_.size(); i++) {
                float least = NEVER;
                for (int kind : sizes(leaves_[i])) {
                    float at = latency(leaves_[i], kind);
                    if (at == NEVER) continue;
                    choices[i].emplace_back(kind, at);
                    least = std::min(least, at);
                }
                if (least < NEVER) target = std::max(target, least);
            }
            int changed = 0;
            for (size_t i = 0; i < leaves_.size(); i++) {
                int best = netlist_.kind[leaves_[i]];
                float nearest = NEVER;
                for (auto [kind, at] : choices[i]) {
                    float off = std::abs(at - target);
                    if (off < nearest - 0.0005f) nearest = off, best = kind;
                }
                if (best == netlist_.kind[leaves_[i]]) continue;
                netlist_.resize(leaves_[i], best);
                changed++;
            }
            if (!changed) break;
        }
        timer_.run(period);
        timer_.clock.port_latency = mean_latency();
        timer_.run(period);
    }

    float mean_latency() const {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < netlist_.count(); i++) {
            if (!netlist_.is(i, REGISTER)) continue;
            sum += timer_.arrival[2 * clock_input(i)];
            count++;
        }
        return count ? float(sum / count) : 0;
    }

  private:
    Timer& timer_;
    Netlist& netlist_;
    const ClockTreeOptions& options_;
    const Clusters clusters_;
    int root_ = -1;
    std::vector<int> leaves_;

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

    int output_net(int instance) const {
        return netlist_.pin_net[netlist_.pin0[instance] + netlist_.pin_of(netlist_.kind[instance], true)];
    }

    void put(int instance, std::pair<int, int> at) {
        netlist_.x[instance] = at.first - netlist_.cell(instance).width / 2;
        netlist_.y[instance] = at.second - netlist_.cell(instance).height / 2;
        netlist_.moved(instance);
    }

    // Put a gate between its registers; make copies if they are too many or too far apart.
    void gather_gate(int gate, std::vector<int>& leaves) {
        int net = output_net(gate);
        auto groups = clusters_.of(sinks(net));
        const Kind& k = netlist_.cell(gate);
        for (size_t g = 0; g < groups.size(); g++) {
            int owner = gate;
            if (g) {
                owner = netlist_.add(netlist_.kind[gate], 0, 0,
                                     gate < netlist_.given ? gate : netlist_.parent[gate]);
                for (size_t p = 0; p < k.pins.size(); p++) {
                    int own = netlist_.pin0[owner] + int(p);
                    if (k.pins[p].output) {
                        netlist_.nets.emplace_back();
                        netlist_.connect(own, int(netlist_.nets.size()) - 1);
                    } else {
                        netlist_.connect(own, netlist_.pin_net[netlist_.pin0[gate] + p]);
                    }
                }
                for (int pin : groups[g]) netlist_.connect(pin, output_net(owner));
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

    // Drive pins from a net through a node and the nodes below it.
    void node(std::vector<int> pins, int depth, int net) {
        if (depth == 0) {
            drive(pins, net);
            return;
        }
        // The node itself stands in the middle of all; its own sinks are inserted below it.
        auto [x, y] = clusters_.middle(pins);
        buffers++;
        int owner = netlist_.insert_buffer(net, buffer_kind(), x, y, {});
        int below = output_net(owner);
        bool across = clusters_.wide(pins);
        clusters_.split(pins, pins.size() / 2, across);
        std::vector<int> halves[2] = {{pins.begin(), pins.begin() + pins.size() / 2},
                                      {pins.begin() + pins.size() / 2, pins.end()}};
        std::vector<int> centres;
        for (auto& half : halves) {
            if (half.empty()) continue;
            size_t at = half.size() / 2;
            clusters_.split(half, at, !across);
            std::vector<int> quarters[2] = {{half.begin(), half.begin() + at},
                                            {half.begin() + at, half.end()}};
            for (auto& quarter : quarters)
                if (!quarter.empty()) node(quarter, depth - 1, below);
        }
    }

    std::vector<int> sizes(int leaf) const {
        if (netlist_.is(leaf, CLOCK_BUFFER)) return netlist_.library.clock_buffers;
        return netlist_.library.families[netlist_.cell(leaf).family];
    }

    // Latest latency behind a leaf of some size; NEVER if its load or slew is too large.
    float latency(int leaf, int kind) const {
        int net = output_net(leaf), position = netlist_.pin_of(netlist_.kind[leaf], true);
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
