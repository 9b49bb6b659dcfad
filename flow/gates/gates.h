// A netlist of gates with zero delay, in 64 runs ("lanes") at once: a word per net has a bit for each
// lane. Toggles are counted in the lanes and cycles that belong to what is measured.
//
// The netlist comes as arrays, see circuit.py; kernels.inc has the functions of the library's cells.

#pragma once

#include <cstdint>
#include <vector>

using Word = uint64_t;
constexpr Word ZEROS = 0;
constexpr Word ONES = ~ZEROS;
constexpr int LANES = 64;

// Mirrored field by field in engine.py.
struct Netlist {
    const int64_t* runs;      // kernel, gates, first operand
    const int32_t* operands;
    const int32_t* states;    // state, net it takes over
    Word* values;             // per net
    uint64_t* toggles;        // per net, all lanes together
    uint64_t* high;           // per net, cycles at 1, all lanes together
    int64_t run_count, state_count, reset_net, reset_cycles;
    int64_t counted_cycles;   // result: cycles counted, all lanes together
};

// Calls a function with the position of each bit that is 1.
template <class Function> void for_each_lane(Word lanes, Function function) {
    for (; lanes; lanes &= lanes - 1) function(__builtin_ctzll(lanes));
}

// The nets of ports are positions in `values`, -1 where nothing is connected.
class Gates {
  public:
    explicit Gates(Netlist& netlist) : n{netlist} { add_input(n.reset_net); }

    void add_input(int64_t net) {
        if (net >= 0) inputs.push_back({net, 0});
    }

    void set(int64_t net, Word value) {
        if (net >= 0) n.values[net] = value;
    }

    void set_bit(int64_t net, int lane, Word bit) {
        if (net >= 0) n.values[net] = (n.values[net] & ~(Word{1} << lane)) | bit << lane;
    }

    Word get(int64_t net) const { return net < 0 ? ZEROS : n.values[net]; }

    Word bit(int64_t net, int lane) const { return get(net) >> lane & 1; }

    // Numbers of up to 64 bits on the nets of a port, bit 0 first.
    uint64_t number(const int32_t* nets, int64_t bits, int lane) const {
        uint64_t value = 0;
        for (int64_t i = 0; i < bits; i++) value |= bit(nets[i], lane) << i;
        return value;
    }

    void set_number(const int32_t* nets, int64_t bits, int lane, uint64_t value) {
        for (int64_t i = 0; i < bits; i++) set_bit(nets[i], lane, value >> i & 1);
    }

    void reset() {
        set(n.reset_net, ONES);
        for (int64_t i = 0; i < n.reset_cycles; i++) {
            evaluate<false>(ZEROS);
            clock();
        }
        set(n.reset_net, ZEROS);
        settle(ZEROS);
    }

    // Lets the nets follow the inputs, and counts in these lanes.
    void settle(Word counted) {
        count_inputs(counted);
        n.counted_cycles += __builtin_popcountll(counted);
        if (counted) {
            evaluate<true>(counted);
        } else {
            evaluate<false>(ZEROS);
        }
    }

    void clock() {
        for (int64_t i = 0; i < n.state_count; i++)
            n.values[n.states[2 * i]] = n.values[n.states[2 * i + 1]];
    }

  private:
    struct Input {
        int64_t net;
        Word before;
    };

    void count_inputs(Word counted) {
        for (Input& input : inputs) {
            const Word value = n.values[input.net];
            n.toggles[input.net] += __builtin_popcountll((value ^ input.before) & counted);
            n.high[input.net] += __builtin_popcountll(value & counted);
            input.before = value;
        }
    }

    template <bool COUNT> void evaluate(Word counted) {
        Word* const net = n.values;
        for (int64_t r = 0; r < n.run_count; r++) {
            const int64_t* run = n.runs + 3 * r;
            const int32_t* gate = n.operands + run[2];
            switch (run[0]) {
#define KERNEL(number, inputs, expression)                                     \
    case number:                                                              \
        for (int64_t i = 0; i < run[1]; i++, gate += inputs + 1) {             \
            const Word value = expression;                                    \
            const int32_t output = gate[inputs];                              \
            if constexpr (COUNT) {                                            \
                const Word toggled = (value ^ net[output]) & counted;         \
                n.toggles[output] += __builtin_popcountll(toggled);           \
                n.high[output] += __builtin_popcountll(value & counted);      \
            }                                                                 \
            net[output] = value;                                              \
        }                                                                     \
        break;
#include "kernels.inc"
#undef KERNEL
            }
        }
    }

    Netlist& n;
    std::vector<Input> inputs;
};
