// Zero-delay simulation of a netlist of gates, as a circuit for the benches (bench.h). 64 lanes run
// (simulations) run at once: each net has a word with one bit per lane. Toggles count only in the
// lanes and cycles that the bench selects (`counted`).
//
// The netlist comes as arrays, see circuit.py; kernels.inc has the functions of the library's cells.

#include <algorithm>
#include <vector>

#include "bench.h"

#ifdef __x86_64__
// Wider vectors gain nothing here, because operands are gathered from different words.
#pragma GCC target("prefer-vector-width=256")
#endif

namespace {

using Word = Lanes;
constexpr Word ZEROS = 0;
constexpr Word ONES = ~ZEROS;

// A netlist and the values of its nets. A net is given by its position in `values`; -1 stands for an
// unconnected bit of a port.
class Gates {
  public:
    static constexpr int LANES = 64;
    static constexpr bool QUIET = true;
    static constexpr bool EDGE_SHOWS_REGISTERS = false;

    explicit Gates(NetlistArrays& netlist) : n{netlist}, before(n.first_state, ZEROS) {}

    void set(int64_t net, Word value) {
        if (net >= 0) n.values[net] = value;
    }

    Word get(int64_t net) const { return net < 0 ? ZEROS : n.values[net]; }

    void hold_reset(uint64_t cycles) {
        set(n.reset_net, ONES);
        for (uint64_t i = 0; i < cycles; i++) {
            settle(ZEROS);
            edge();
        }
        set(n.reset_net, ZEROS);
        settle(ZEROS);
    }

    void open_window() {}

    void settle(Word counted) { settle(counted, UNWATCHED); }

    void edge() {
        Word* const state = n.values + n.first_state;
        // No iteration reads what another one writes: a gate lies between any two states.
#pragma GCC ivdep
        for (int64_t i = 0; i < n.state_count; i++) state[i] = n.values[n.states[i]];
    }

    void close(Word counted) {
        if (counted) settle(counted);
    }

  protected:
    // Takes no toggles, so that none are kept.
    struct Unwatched {
        static constexpr int64_t MOST = 0;
        void operator()(int64_t, const Word*, int64_t) const {}
    };
    static constexpr Unwatched UNWATCHED{};

    // Settles the gates. `watch(first, toggled, count)` gets the lanes in which the outputs of
    // `count` gates toggle, at most MOST, from the position `first` on, while they are in the cache.
    template <class Watch> void settle(Word counted, const Watch& watch) {
        begin(counted);
        evaluate(counted, 0, n.run_count, watch);
    }

    // Begins a cycle: its inputs and registers have their values.
    void begin(Word counted) {
        moved = 0;
        count_inputs(counted);
        n.counted_cycles += __builtin_popcountll(counted);
    }

    // Evaluates the gates of some runs, from the run `first` up to, but without, the run `end`.
    template <class Watch = Unwatched>
    void evaluate(Word counted, int64_t first, int64_t end, const Watch& watch = UNWATCHED) {
        if (counted) {
            evaluate<true>(counted, first, end, watch);
        } else {
            evaluate<false>(ZEROS, first, end, watch);
        }
    }

    // Counts toggles of the circuit's inputs: the nets that no gate drives.
    void count_inputs(Word counted) {
        Word* const old = before.data();
#pragma GCC ivdep
        for (int64_t i = 0; i < n.first_state; i++) {
            const Word value = n.values[i];
            const uint64_t toggled = __builtin_popcountll((value ^ old[i]) & counted);
            n.toggles[i] += toggled;
            moved += toggled;
            n.high[i] += __builtin_popcountll(value & counted);
            old[i] = value;
        }
    }

    template <bool COUNT, class Watch>
    void evaluate(Word counted, int64_t first, int64_t end, const Watch& watch) {
        constexpr bool WATCHED = Watch::MOST > 0;
        Word differing[WATCHED ? Watch::MOST : 1];
        Word* const net = n.values;
        for (int64_t r = first; r < end; r++) {
            const int64_t* run = n.runs + 4 * r;
            const int64_t count = run[1];
            const int32_t* const pins = n.operands + run[2];
            Word* const output = net + run[3];
            uint64_t* const toggles = n.toggles + run[3];
            uint64_t* const high = n.high + run[3];
            uint64_t sum = 0;
            for (int64_t from = 0, to; from < count; from = to) {
                to = WATCHED ? std::min(count, from + Watch::MOST) : count;
                switch (run[0]) {
// No gate of a run reads the output of another gate of the same run.
#define PIN(number) net[pins[(number) * count + i]]
#define KERNEL(number, expression)                                            \
    case number:                                                              \
        _Pragma("GCC ivdep") for (int64_t i = from; i < to; i++) {            \
            const Word value = expression;                                    \
            if constexpr (WATCHED) differing[i - from] = value ^ output[i];   \
            if constexpr (COUNT) {                                            \
                const Word changed = (value ^ output[i]) & counted;           \
                const uint64_t toggled = __builtin_popcountll(changed);       \
                toggles[i] += toggled;                                        \
                sum += toggled;                                               \
                high[i] += __builtin_popcountll(value & counted);             \
            }                                                                 \
            output[i] = value;                                                \
        }                                                                     \
        break;
#include "kernels.inc"
#undef KERNEL
#undef PIN
                }
                if constexpr (WATCHED) watch(run[3] + from, differing, to - from);
            }
            moved += sum;
        }
    }

    NetlistArrays& n;
    std::vector<Word> before;
    uint64_t moved = 0;  // useful toggles of the cycle, of all counted lanes
};

// The nets of a port, bit 0 first.
class Port {
  public:
    Port(Gates& gates, const NetlistPort& port)
        : gates{gates}, nets{port.nets}, nbits{port.nbits} {}

    Lanes get() const { return gates.get(nets[0]); }
    void set(Lanes lanes) const { gates.set(nets[0], lanes); }

    uint32_t number(int lane) const {
        uint32_t value = 0;
        for (uint64_t i = 0; i < nbits; i++) value |= bit(i, lane) << i;
        return value;
    }

    void read(int lane, uint32_t* to) const {
        std::memset(to, 0, words(nbits) * sizeof *to);
        for (uint64_t i = 0; i < nbits; i++) to[i / 32] |= bit(i, lane) << i % 32;
    }

    void write(int lane, const uint32_t* from) const {
        for (uint64_t i = 0; i < nbits; i++) {
            const Word value = from[i / 32] >> i % 32 & 1, mask = Word{1} << lane;
            gates.set(nets[i], (gates.get(nets[i]) & ~mask) | value << lane);
        }
    }

  private:
    uint32_t bit(uint64_t index, int lane) const { return gates.get(nets[index]) >> lane & 1; }

    Gates& gates;
    const int32_t* nets;
    uint64_t nbits;
};

#include "gate_ports.h"

// A netlist with the ports of a protocol.
template <class ProtocolPorts, class Base = Gates, class Arrays = NetlistArrays>
class GateCircuit : public Base {
  public:
    using Ports = ProtocolPorts;

    explicit GateCircuit(Arrays& arrays) : Base{arrays}, ports{*this, this->n.ports} {}

    Ports ports;
};

}  // namespace
