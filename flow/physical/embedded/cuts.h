// Functions of the signals of a netlist over few other signals.
//
// A signal is a net behind which no buffers and inverters lie; the two outputs of a flip-flop are
// one signal. A *cut* of a signal is a set of other signals, its leaves, that decide its value. Cuts
// are found from the inputs on: those of a gate are the unions of cuts of its inputs (Cong, Wu and
// Ding, "Cut ranking and pruning", FPGA 1999). Truth tables have a bit for each value of the leaves;
// bit k of that value is leaf k.

#pragma once

#include <array>

#include "timer.h"

namespace physical {

constexpr int MOST_LEAVES = 3;

struct Cut {
    int count = 0;
    std::array<int, MOST_LEAVES> leaves{-1, -1, -1};  // ascending
    uint8_t table = 0;

    bool within(const Cut& other) const {
        return std::includes(other.leaves.begin(), other.leaves.begin() + other.count,
                             leaves.begin(), leaves.begin() + count);
    }
};

class Cuts {
  public:
    explicit Cuts(const Timer& timer) : netlist_(timer.netlist) {
        size_t count = netlist_.nets.size();
        root_.resize(count);
        inverted_.assign(count, 0);
        of_.resize(count);
        for (size_t net = 0; net < count; net++) root_[net] = int(net);
        for (int instance : timer.order()) visit(instance);
    }

    // The signal of a net, and whether the net has its complement.
    int root(int net) const { return root_[net]; }
    bool inverted(int net) const { return inverted_[net]; }

    // Cuts of a signal; the first one is the signal itself.
    const std::vector<Cut>& of(int signal) const { return of_[signal]; }

    static bool is_repeater(const Kind& kind) { return kind.logic && kind.inputs.size() == 1; }

  private:
    static constexpr size_t MOST_CUTS = 12;  // of a signal

    const Netlist& netlist_;
    std::vector<int> root_;
    std::vector<char> inverted_;
    std::vector<std::vector<Cut>> of_;

    void visit(int instance) {
        const Kind& kind = netlist_.cell(instance);
        for (size_t p = 0; p < kind.pins.size(); p++) {
            int net = netlist_.pin_net[netlist_.pin0[instance] + p];
            if (!kind.pins[p].output || net < 0) continue;
            if (is_repeater(kind)) {
                int from = netlist_.pin_net[netlist_.pin0[instance] + kind.inputs[0]];
                root_[net] = root_[from];
                inverted_[net] = inverted_[from] ^ (kind.pins[p].table & 1);
                continue;
            }
            int other = kind.pins[p].complement;
            int before = other < 0 ? -1 : netlist_.pin_net[netlist_.pin0[instance] + other];
            if (before >= 0 && other < int(p)) {
                root_[net] = before;
                inverted_[net] = 1;
                continue;
            }
            of_[net].push_back({1, {net, -1, -1}, 0b10});
            if (kind.logic && kind.outputs == 1 && !netlist_.nets[net].clock) find(instance, kind, net);
        }
    }

    void find(int instance, const Kind& kind, int net) {
        std::vector<const Cut*> chosen(kind.inputs.size());
        std::vector<Cut> found;
        unite(instance, kind, 0, Cut{}, chosen, found);
        std::stable_sort(found.begin(), found.end(),
                         [](const Cut& a, const Cut& b) { return a.count < b.count; });
        auto& kept = of_[net];
        for (const Cut& cut : found) {
            if (kept.size() > MOST_CUTS) break;
            bool wider = std::any_of(kept.begin() + 1, kept.end(),
                                     [&](const Cut& other) { return other.within(cut); });
            if (!wider) kept.push_back(cut);
        }
    }

    // Choose a cut for each input from the given one on.
    void unite(int instance, const Kind& kind, size_t input, const Cut& leaves,
               std::vector<const Cut*>& chosen, std::vector<Cut>& found) const {
        if (input == kind.inputs.size()) {
            Cut cut = leaves;
            cut.table = table(instance, kind, cut, chosen);
            found.push_back(cut);
            return;
        }
        int net = netlist_.pin_net[netlist_.pin0[instance] + kind.inputs[input]];
        for (const Cut& cut : of_[root_[net]]) {
            std::array<int, 2 * MOST_LEAVES> both;
            auto end = std::set_union(leaves.leaves.begin(), leaves.leaves.begin() + leaves.count,
                                      cut.leaves.begin(), cut.leaves.begin() + cut.count, both.begin());
            int count = int(end - both.begin());
            if (count > MOST_LEAVES) continue;
            Cut united;
            united.count = count;
            std::copy(both.begin(), end, united.leaves.begin());
            chosen[input] = &cut;
            unite(instance, kind, input + 1, united, chosen, found);
        }
    }

    uint8_t table(int instance, const Kind& kind, const Cut& cut,
                  const std::vector<const Cut*>& chosen) const {
        int out = kind.output;
        uint8_t result = 0;
        for (int value = 0; value < 1 << cut.count; value++) {
            int row = 0;
            for (size_t i = 0; i < chosen.size(); i++) {
                int net = netlist_.pin_net[netlist_.pin0[instance] + kind.inputs[i]];
                row |= (at(*chosen[i], cut, value) ^ inverted_[net]) << i;
            }
            result |= uint8_t((kind.pins[out].table >> row & 1) << value);
        }
        return result;
    }

    // Value of a cut for a value of the leaves of a wider one.
    static int at(const Cut& cut, const Cut& wider, int value) {
        int own = 0;
        for (int i = 0, j = 0; i < cut.count; i++) {
            while (wider.leaves[j] != cut.leaves[i]) j++;
            own |= (value >> j & 1) << i;
        }
        return cut.table >> own & 1;
    }
};

}  // namespace physical
