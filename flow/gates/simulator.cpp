// Simulates a netlist of gates with zero delay, 64 runs ("lanes") at once: a word per net has a bit
// for each lane. Every lane works through operations of its own, one after the other, and goes its
// own way in the handshakes. Toggles are counted in the lanes and cycles that belong to a counted
// operation.
//
// The netlist comes as arrays, see circuit.py; kernels.inc has the functions of the library's cells.

#include <cstdint>
#include <vector>

using Word = uint64_t;
constexpr Word ZEROS = 0;
constexpr Word ONES = ~ZEROS;
constexpr int LANES = 64;

// Mirrored field by field in engine.py.
struct Simulation {
    const int64_t* runs;      // kernel, gates, first operand
    const int32_t* operands;
    const int32_t* states;    // state, net it takes over
    Word* values;             // per net
    uint64_t* toggles;        // per net, all lanes together
    uint64_t* high;           // per net, cycles at 1, all lanes together
    const int32_t* request_nets;   // bit 0 first
    const int32_t* response_nets;  // -1: not connected
    const uint8_t* requests;       // lane, operation, bit
    uint8_t* responses;            // lane, operation, bit
    int64_t* accepted_at;          // lane, operation
    int64_t* valid_at;
    int64_t* taken_at;
    int64_t run_count, state_count, request_bits, response_bits;
    int64_t reset_net, valid_in_net, ready_out_net, valid_out_net, ready_in_net;
    int64_t lanes, operations, uncounted;
    int64_t count_tail;       // count the cycle after a lane's last operation too
    int64_t reset_cycles, max_idle;
    int64_t cycles;           // result: simulated
    int64_t counted_cycles;   // result: cycles counted, all lanes together
    volatile int64_t stop;    // set by another thread to end the run
};

namespace {

enum Outcome : int32_t { DONE, TIMEOUT, UNEXPECTED, STOPPED };

template <bool COUNT> void evaluate(Simulation& s, Word counted) {
    Word* const net = s.values;
    for (int64_t r = 0; r < s.run_count; r++) {
        const int64_t* run = s.runs + 3 * r;
        const int32_t* gate = s.operands + run[2];
        switch (run[0]) {
#define KERNEL(number, inputs, expression)                                        \
    case number:                                                                 \
        for (int64_t i = 0; i < run[1]; i++, gate += inputs + 1) {                \
            const Word value = expression;                                       \
            const int32_t output = gate[inputs];                                 \
            if constexpr (COUNT) {                                               \
                const Word toggled = (value ^ net[output]) & counted;            \
                s.toggles[output] += __builtin_popcountll(toggled);              \
                s.high[output] += __builtin_popcountll(value & counted);         \
            }                                                                    \
            net[output] = value;                                                 \
        }                                                                        \
        break;
#include "kernels.inc"
#undef KERNEL
        }
    }
}

struct Lane {
    int64_t accepted = 0;
    int64_t answered = 0;
    bool offered = false;
    bool tail_counted = false;
};

class Bench {
  public:
    explicit Bench(Simulation& simulation) : s{simulation} {
        for (int64_t net : {s.reset_net, s.valid_in_net, s.ready_in_net}) add_input(net);
        for (int64_t i = 0; i < s.request_bits; i++) add_input(s.request_nets[i]);
    }

    Outcome run() {
        reset();
        int64_t idle = 0;
        while (true) {
            const Word counted = drive();
            count_inputs(counted);
            if (counted) {
                evaluate<true>(s, counted);
                s.counted_cycles += __builtin_popcountll(counted);
            } else {
                evaluate<false>(s, 0);
            }
            if (finished()) return DONE;
            bool handshake = false;
            if (!respond(handshake)) return UNEXPECTED;
            clock();
            s.cycles++;
            idle = handshake ? 0 : idle + 1;
            if (idle > s.max_idle) return TIMEOUT;
            if (s.stop) return STOPPED;
        }
    }

  private:
    struct Input {
        int64_t net;
        Word before;
    };

    void add_input(int64_t net) {
        if (net >= 0) inputs.push_back({net, 0});
    }

    void set(int64_t net, Word value) {
        if (net >= 0) s.values[net] = value;
    }

    void reset() {
        set(s.reset_net, ONES);
        for (int64_t i = 0; i < s.reset_cycles; i++) {
            evaluate<false>(s, 0);
            clock();
        }
        set(s.reset_net, ZEROS);
        evaluate<false>(s, 0);
        count_inputs(0);
    }

    void clock() {
        for (int64_t i = 0; i < s.state_count; i++)
            s.values[s.states[2 * i]] = s.values[s.states[2 * i + 1]];
    }

    // Drives the inputs of the cycle; returns the lanes whose toggles count.
    Word drive() {
        Word offered = 0, ready = 0, counted = 0;
        for (int64_t l = 0; l < s.lanes; l++) {
            Lane& lane = lane_of[l];
            const Word bit = Word{1} << l;
            const bool busy = lane.answered < s.operations;
            if (busy && !lane.offered && lane.accepted == lane.answered) {
                lane.offered = true;
                drive_message(l);
            }
            if (lane.offered) offered |= bit;
            if (busy) ready |= bit;
            const bool tail = !busy && s.count_tail && !lane.tail_counted;
            if (tail) lane.tail_counted = true;
            if ((busy && lane.answered >= s.uncounted) || tail) counted |= bit;
        }
        set(s.valid_in_net, offered);
        set(s.ready_in_net, ready);
        return counted;
    }

    // The message stays between requests, so that an idle bus costs no energy.
    void drive_message(int64_t l) {
        const int64_t at = l * s.operations + lane_of[l].accepted;
        for (int64_t i = 0; i < s.request_bits; i++) {
            const Word bit = s.requests[at * s.request_bits + i];
            const int64_t net = s.request_nets[i];
            if (net >= 0) s.values[net] = (s.values[net] & ~(Word{1} << l)) | bit << l;
        }
    }

    void count_inputs(Word counted) {
        for (Input& input : inputs) {
            const Word value = s.values[input.net];
            s.toggles[input.net] += __builtin_popcountll((value ^ input.before) & counted);
            s.high[input.net] += __builtin_popcountll(value & counted);
            input.before = value;
        }
    }

    bool finished() const {
        for (int64_t l = 0; l < s.lanes; l++) {
            if (lane_of[l].answered < s.operations) return false;
            if (s.count_tail && !lane_of[l].tail_counted) return false;
        }
        return true;
    }

    // Handshakes of the cycle; false if a lane answers what was not asked.
    bool respond(bool& handshake) {
        const Word can_accept = s.values[s.ready_out_net];
        const Word valid = s.values[s.valid_out_net];
        for (int64_t l = 0; l < s.lanes; l++) {
            Lane& lane = lane_of[l];
            if (lane.answered == s.operations) continue;
            const bool accept = lane.offered && (can_accept >> l & 1);
            if (valid >> l & 1) {
                if (lane.answered == lane.accepted && !accept) return false;
                const int64_t at = l * s.operations + lane.answered;
                s.valid_at[at] = s.taken_at[at] = s.cycles;
                for (int64_t i = 0; i < s.response_bits; i++) {
                    const int64_t net = s.response_nets[i];
                    s.responses[at * s.response_bits + i] = s.values[net] >> l & 1;
                }
                handshake = true;
            }
            if (accept) {
                s.accepted_at[l * s.operations + lane.accepted] = s.cycles;
                lane.accepted++;
                lane.offered = false;
                handshake = true;
            }
            if (valid >> l & 1) lane.answered++;
        }
        return true;
    }

    Simulation& s;
    Lane lane_of[LANES];
    std::vector<Input> inputs;
};

}  // namespace

extern "C" int32_t simulate(Simulation* simulation) { return Bench(*simulation).run(); }
