// A netlist whose gates have delays, in 64 lanes: what changes in a cycle, and when.
//
// A cycle begins with the edge of the clock at time 0: inputs and the states of flip-flops change
// then. A net's waveform is a list of moments, each with the lanes that toggle. Gates are evaluated
// in the order of their levels, each once a cycle, over the moments of all its inputs; no queue of
// events is needed. docs/timed-gates.md has the rules, timed_kernels.inc the library's cells. Cycles
// that are not counted have no delays.

#include <algorithm>
#include <limits>

#include "gates.h"

namespace {

using Time = int32_t;  // in picoseconds

struct Moment {
    Time at;
    Word lanes;
};

// A kernel has, for a gate of so many INPUTS and CASES of delays:
//   value(in)                        what the inputs make of the output
//   each_case(in, moved, function)   calls function(case, lanes) for lanes of inputs that moved
template <int NUMBER> struct Kernel;

#include "timed_kernels.inc"

// Changes that a gate has begun: of each lane at most one, in the order of their times.
class Pending {
  public:
    bool empty() const { return begin == end; }
    Time first() const { return entries[begin].at; }

    Word pop() {
        const Word lanes = entries[begin++].lanes;
        if (begin == end) begin = end = 0;
        return lanes;
    }

    void withdraw(Word lanes) {
        int to = begin;
        for (int i = begin; i < end; i++) {
            const Word left = entries[i].lanes & ~lanes;
            if (left) entries[to++] = {entries[i].at, left};
        }
        end = to;
        if (begin == end) begin = end = 0;
    }

    // Of a lane that is there already, the earlier time counts.
    void add(Time at, Word lanes, Word& added) {
        if (!lanes) return;
        if (Word twice = lanes & added) {
            for (int i = begin; i < end; i++) {
                if (entries[i].at <= at) lanes &= ~entries[i].lanes;
            }
            twice &= lanes;
            if (twice) withdraw(twice);
            if (!lanes) return;
        }
        added |= lanes;
        int place = end;
        while (place > begin && entries[place - 1].at > at) place--;
        if (place > begin && entries[place - 1].at == at) {
            entries[place - 1].lanes |= lanes;
            return;
        }
        if (end == CAPACITY) shift(place);
        for (int i = end++; i > place; i--) entries[i] = entries[i - 1];
        entries[place] = {at, lanes};
    }

  private:
    static constexpr int CAPACITY = 192;

    // There are 64 entries at most, so that half the room is free in front.
    void shift(int& place) {
        std::copy(entries + begin, entries + end, entries);
        place -= begin;
        end -= begin;
        begin = 0;
    }

    Moment entries[CAPACITY];
    int begin = 0, end = 0;
};

class TimedGates : public Gates {
  public:
    explicit TimedGates(TimedArrays& timed)
        : Gates{*timed.netlist}, t{timed}, waves(timed.net_count), held(n.state_count, ZEROS) {}

    void settle(Word counted) {
        if (!counted) {
            Gates::settle(ZEROS);
            remember();
            return;
        }
        n.counted_cycles += __builtin_popcountll(counted);
        top = 0;
        for (int64_t net = 0; net < n.first_state; net++) begin(net, before[net], counted);
        for (int64_t i = 0; i < n.state_count; i++) begin(n.first_state + i, held[i], counted);
        for (int64_t r = 0; r < n.run_count; r++) {
            switch (t.kernels[r]) {
#define KERNEL(number)                        \
    case number:                              \
        run<Kernel<number>>(r, counted);      \
        break;
#include "timed_cases.inc"
#undef KERNEL
            }
        }
        remember();
        t.cycle++;
    }

    void hold_reset(uint64_t cycles) {
        Gates::hold_reset(cycles);
        remember();
    }

    void close(Word counted) {
        if (counted) settle(counted);
    }

  private:
    struct Wave {
        uint32_t first, count;
    };

    // What inputs and states were before the edge.
    void remember() {
        std::copy(n.values, n.values + n.first_state, before.begin());
        std::copy(n.values + n.first_state, n.values + n.first_state + n.state_count, held.begin());
    }

    void begin(int64_t net, Word old, Word counted) {
        const Word value = n.values[net], moved = (value ^ old) & counted;
        waves[net] = {top, 0};
        n.high[net] += __builtin_popcountll(value & counted);
        if (!moved) return;
        emit(net, 0, moved);
        n.toggles[net] += __builtin_popcountll(moved);
        t.useful[net] += __builtin_popcountll(moved);
    }

    void emit(int64_t net, Time at, Word lanes) {
        if (top == moments.size()) moments.resize(std::max<size_t>(1 << 16, 2 * top));
        moments[top++] = {at, lanes};
        waves[net].count++;
        if (at > t.latest) t.latest = at;
        if (t.log_count < t.log_size) {
            int64_t* const row = t.log + 4 * t.log_count++;
            row[0] = t.cycle, row[1] = net, row[2] = at, row[3] = static_cast<int64_t>(lanes);
        }
    }

    template <class K> void run(int64_t r, Word counted) {
        const int64_t* const row = n.runs + 4 * r;
        const int64_t count = row[1];
        const int32_t* const pins = n.operands + row[2];
        const Time* const delays = t.delays + t.first_delay[r];
        for (int64_t i = 0; i < count; i++) {
            const int64_t out = row[3] + i;
            Word in[K::INPUTS];
            uint32_t events = 0;
            for (int k = 0; k < K::INPUTS; k++) {
                const int64_t net = pins[k * count + i];
                in[k] = n.values[net];
                events += waves[net].count;
            }
            const Word old = n.values[out], value = K::value(in);
            waves[out] = {top, 0};
            n.values[out] = value;
            n.high[out] += __builtin_popcountll(value & counted);
            if (!events) continue;
            t.useful[out] += __builtin_popcountll((old ^ value) & counted);
            int32_t nets[K::INPUTS];
            for (int k = 0; k < K::INPUTS; k++) nets[k] = pins[k * count + i];
            if constexpr (K::CASES == 0) {
                pass<K>(out, nets, in, old, counted);
            } else {
                wave<K>(out, nets, in, old, counted, delays + 2 * K::CASES * i);
            }
        }
    }

    // The moments of a gate's inputs, one after the other.
    template <class K> class Inputs {
      public:
        Inputs(const TimedGates& gates, const int32_t* nets, Word* in) : in{in} {
            for (int k = 0; k < K::INPUTS; k++) {
                const Wave& wave = gates.waves[nets[k]];
                at[k] = gates.moments.data() + wave.first;
                end[k] = at[k] + wave.count;
                // `in` has what the cycle ends with; it begins with the other value of what toggles
                for (const Moment* m = at[k]; m != end[k]; m++) in[k] ^= m->lanes;
            }
        }

        Time next() const {
            Time time = NEVER;
            for (int k = 0; k < K::INPUTS; k++) {
                if (at[k] != end[k] && at[k]->at < time) time = at[k]->at;
            }
            return time;
        }

        void take(Time time) {
            for (int k = 0; k < K::INPUTS; k++) {
                moved[k] = ZEROS;
                if (at[k] != end[k] && at[k]->at == time) {
                    moved[k] = at[k]->lanes;
                    in[k] ^= moved[k];
                    at[k]++;
                }
            }
        }

        Word moved[K::INPUTS];

      private:
        Word* const in;
        const Moment *at[K::INPUTS], *end[K::INPUTS];
    };

    static constexpr Time NEVER = std::numeric_limits<Time>::max();

    // A gate inside a flip-flop: without a delay of its own, and no pin shows it.
    template <class K>
    void pass(int64_t, const int32_t*, const Word*, Word, Word) {}

    template <class K>
    void wave(
        int64_t out, const int32_t* nets, Word* in, Word old, Word counted, const Time* delays) {
        Inputs<K> inputs{*this, nets, in};
        Pending pending;
        Word shown = old, meant = old;  // at the output, and when all that is begun has come
        uint64_t toggles = 0;
        for (;;) {
            const Time time = inputs.next();
            if (!pending.empty() && pending.first() <= time) {
                const Time at = pending.first();
                const Word lanes = pending.pop();
                emit(out, at, lanes);
                shown ^= lanes;
                toggles += __builtin_popcountll(lanes);
                continue;
            }
            if (time == NEVER) break;
            inputs.take(time);
            const Word value = K::value(in), changed = (value ^ meant) & counted;
            if (!changed) continue;
            meant ^= changed;
            pending.withdraw(changed);
            const Word begun = changed & (value ^ shown);
            if (!begun) continue;
            Word added = ZEROS;
            K::each_case(in, inputs.moved, [&](int number, Word lanes) INLINED {
                lanes &= begun;
                const Time rise = delays[2 * number], fall = delays[2 * number + 1];
                if (rise == fall) {
                    pending.add(time + rise, lanes, added);
                } else {
                    pending.add(time + rise, lanes & value, added);
                    pending.add(time + fall, lanes & ~value, added);
                }
            });
        }
        n.toggles[out] += toggles;
    }

    TimedArrays& t;
    std::vector<Wave> waves;
    std::vector<Word> held;
    std::vector<Moment> moments = std::vector<Moment>(1 << 16);
    uint32_t top = 0;
};

}  // namespace
