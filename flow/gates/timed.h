// Simulates a netlist whose gates have delays, in 64 lanes: which nets toggle in a cycle, and when.
//
// A cycle begins with the edge of the clock at time 0: inputs and the states of flip-flops change
// then. A net's waveform is a list of moments, each with the lanes that toggle. Gates are evaluated
// in the order of their levels, each once a cycle, over the moments of all its inputs; no queue of
// events is needed. docs/reference/flow.md has the rules, timed_kernels.inc the library's cells. Cycles
// that are not counted have no delays.

#include <algorithm>
#include <limits>
#include <utility>

#include "gates.h"

namespace {

// -O2 does not unroll the loops over a gate's inputs, and these are the inner ones.
#define UNROLLED _Pragma("GCC unroll 6")

using Time = int32_t;  // in picoseconds

struct Moment {
    Time at;
    Word lanes;
};

// Kernel of a gate with INPUTS inputs and CASES delay cases (an input in a state of the others):
//   value(in)                        value of the output for these inputs
//   each_case(in, moved, function)   calls function(case, lanes) for each case whose input moved,
//                                    with the lanes to which the case applies
template <int NUMBER> struct Kernel;

#include "timed_kernels.inc"

// Ring buffer for the pending output changes of a gate: a word of lanes for each picosecond, and a
// bit for each word that is not empty.
class Ring {
  public:
    // 64 ps more than the longest delay, which may begin at the end of a group of 64 ps.
    explicit Ring(int64_t longest) {
        while (last < longest + 64) last = 2 * last + 1;
        slots.assign(last + 1, ZEROS);
        marks.assign((last + 1) / 64, 0);
    }

    uint32_t last = 63;
    std::vector<Word> slots;
    std::vector<uint64_t> marks;
};

// Pending output changes of a gate, at most one of each lane.
class Pending {
  public:
    explicit Pending(Ring& ring)
        : last{ring.last}, slots{ring.slots.data()}, marks{ring.marks.data()} {}

    Word lanes() const { return waiting; }

    // Notes the lanes whose output begins to change now; `add` then notes when it will toggle.
    INLINED void begin(Time now, Word lanes) {
        if (!waiting) group = now & ~63;
        waiting |= lanes;
    }

    // Without branches, though `lanes` is often 0: a branch would often be mispredicted.
    INLINED void add(Time at, Word lanes) {
        slot(at) |= lanes;
        mark(at) |= uint64_t{lanes != 0} << at % 64;
    }

    INLINED void withdraw(Word lanes) {
        waiting &= ~lanes;
        for (Time from = group; lanes; from += 64) {
            for (uint64_t left = mark(from); left; left &= left - 1) {
                const Time at = from + __builtin_ctzll(left);
                const Word both = slot(at) & lanes;
                lanes ^= both;
                slot(at) ^= both;
                if (!slot(at)) mark(at) ^= left & -left;
            }
        }
    }

    // Removes the changes that are due up to and including `now`; calls the function for each.
    template <class Function> INLINED void pass(Time now, Function function) {
        while (waiting) {
            const uint64_t left = mark(group);
            if (!left) {
                if (group + 64 > now) return;
                group += 64;
                continue;
            }
            const Time at = group + __builtin_ctzll(left);
            if (at > now) return;
            mark(group) = left & (left - 1);
            const Word lanes = slot(at);
            slot(at) = ZEROS;
            waiting ^= lanes;
            function(at, lanes);
        }
    }

  private:
    Word& slot(uint32_t at) { return slots[at & last]; }
    uint64_t& mark(uint32_t at) { return marks[(at & last) / 64]; }

    const uint32_t last;
    Word* const slots;
    uint64_t* const marks;
    Word waiting = ZEROS;
    Time group = 0;  // multiple of 64 ps, not later than now or the first pending change
};

class TimedGates : public Gates {
  public:
    explicit TimedGates(TimedArrays& timed)
        : Gates{*timed.netlist},
          t{timed},
          waves(timed.net_count),
          active(timed.net_count),
          inputs(n.first_state, ZEROS),
          held(n.state_count, ZEROS),
          ring{timed.longest} {
        int64_t most = 0;
        for (int64_t r = 0; r < n.run_count; r++) most = std::max(most, n.runs[4 * r + 1]);
        found.resize(most + 1);
        moments[0] = {NEVER, ZEROS};
    }

    void settle(Word counted) {
        counted = in_window(counted);
        std::copy(before.begin(), before.end(), inputs.begin());
        Gates::settle(counted);
        if (counted && choose()) {
            start(counted);
            follow();
        }
        hold();
    }

    void hold_reset(uint64_t cycles) {
        Gates::hold_reset(cycles);
        hold();
    }

    void close(Word counted) {
        if (counted) settle(counted);
    }

  protected:
    // Calls the function with each moment at which a net toggles in the current cycle, if that has
    // delays.
    template <class Function> INLINED void each_moment(int64_t net, Function function) const {
        if (!active[net]) return;
        for (const Moment* at = &moments[waves[net].first]; at->at != NEVER; at++) function(*at);
    }

  private:
    static constexpr Time NEVER = std::numeric_limits<Time>::max();
    static constexpr double EVEN = 0.25;  // part of a share that does not depend on the toggles
    static constexpr int FEW = 6;  // up to so many cases are added one by one, unsorted

    // Waveform of a net: the moments from index `first` on, up to the moment NEVER. `moved` has the
    // lanes whose value at the end of the cycle differs from that at its beginning.
    struct Wave {
        uint32_t first;
        Word moved;
    };

    struct Begun {
        Time delay;
        Word lanes;
    };

    // Returns the lanes that count in this cycle, none outside the window. Before the first cycle of
    // the window, saves the values of all nets.
    Word in_window(Word counted) {
        counted &= t.lanes;
        if (!counted) return ZEROS;
        const uint64_t cycle = t.lane_cycles++;
        if (cycle == t.first) {
            std::copy(n.values, n.values + t.net_count, t.begun);
            std::copy(before.begin(), before.end(), t.begun);
            std::copy(held.begin(), held.end(), t.begun + n.first_state);
        }
        return cycle >= t.first && cycle < t.end ? counted : ZEROS;
    }

    // Decides whether the cycle has delays, and if so, for how many cycles it stands (`weight`).
    bool choose() {
        const uint64_t cycle = t.cycle++;
        all_moved += moved;
        group = t.group_count;
        weight = t.period;
        if (t.period == 1) return true;
        if (!t.by_activity) {
            if ((cycle + drawn(cycle / t.period) % t.period) % t.period != t.part) return false;
            group = group_of(cycle / t.period);
            return true;
        }
        // A cycle's share, the mean number of random points that hit it, is 1/period on average. It
        // grows with the cycle's useful toggles, which have been counted already.
        const double mean = double(all_moved) / (cycle + 1);
        const double relative = mean > 0 ? moved / mean : 1.0;
        const double share = (EVEN + (1 - EVEN) * relative) / t.period;
        weight = 1;
        if (share >= 1) return true;
        const double end = shares + share;
        uint64_t hits = 0;
        for (; point() < end; stratum++, hits++) group = group_of(stratum);
        shares = end;
        weight = hits / share;
        return hits;
    }

    // Stratified sampling: the shares of all cycles, end to end, are cut into strata of length 1.
    // Each stratum has a random point, and the cycle that it hits has delays. So the sample is not
    // in step with any loop of the circuit.
    double point() const { return stratum + (drawn(stratum) >> 11) * 0x1p-53; }

    // Group of a stratum: `group_count` consecutive strata get all groups, in random order.
    uint64_t group_of(uint64_t number) const {
        const uint64_t some = drawn(~(number / t.group_count)), odd = some >> 32 | 1;
        return (number % t.group_count * odd + some) % t.group_count;
    }

    static uint64_t drawn(uint64_t number) {
        number = (number + 1) * 0x9E3779B97F4A7C15;  // SplitMix64
        number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
        number = (number ^ number >> 27) * 0x94D049BB133111EB;
        return number ^ number >> 31;
    }

    // Keeps the states of the flip-flops, to compare them with those after the next edge.
    void hold() {
        const Word* const state = n.values + n.first_state;
        std::copy(state, state + n.state_count, held.begin());
    }

    // Begins a cycle: waveforms of inputs and states, which toggle at the clock edge.
    void start(Word counted) {
        for (const int32_t net : touched) {
            active[net] = 0;
            waves[net] = {0, ZEROS};
        }
        touched.clear();
        top = 1;
        latest = 0;
        glitches = t.glitches + group * t.net_count;
        t.timed_cycles[group] += __builtin_popcountll(counted);
        t.chosen[group]++;
        for (int64_t net = 0; net < n.first_state; net++) {
            begin(net, (n.values[net] ^ inputs[net]) & counted);
        }
        for (int64_t i = 0; i < n.state_count; i++) {
            const int64_t net = n.first_state + i;
            begin(net, (n.values[net] ^ held[i]) & counted);
        }
    }

    void begin(int64_t net, Word moved) {
        if (!moved) return;
        reserve();
        const uint32_t first = top;
        moments[top++] = {0, moved};
        finish(net, first, moved);
    }

    // Room for the moments of one more gate: one per ps at most, up to `latest` + longest delay.
    void reserve() {
        const size_t needed = top + latest + t.longest + 3;
        if (needed > moments.size()) moments.resize(2 * needed);
    }

    // Ends the waveform of a net, whose moments begin at index `first`.
    void finish(int64_t net, uint32_t first, Word moved) {
        if (top == first) return;
        latest = std::max(latest, moments[top - 1].at);
        for (uint32_t i = first; i < top && t.log_count < t.log_size; i++) {
            int64_t* const row = t.log + 4 * t.log_count++;
            row[0] = t.cycle - 1, row[1] = net, row[2] = moments[i].at;
            row[3] = static_cast<int64_t>(moments[i].lanes);
            if (t.log_count == t.log_size && t.log_full) t.log_full(t.log_size), t.log_count = 0;
        }
        moments[top++] = {NEVER, ZEROS};
        waves[net] = {first, moved};
        active[net] = 1;
        touched.push_back(static_cast<int32_t>(net));
    }

    // Computes the waveforms of all nets that gates drive; `values` already has their last values.
    void follow() {
        for (int64_t r = 0; r < n.run_count; r++) {
            switch (t.kernels[r]) {
#define KERNEL(number)                        \
    case number:                              \
        run<Kernel<number>>(r);               \
        break;
#include "timed_cases.inc"
#undef KERNEL
            }
        }
    }

    template <class K> void run(int64_t r) {
        // A gate inside a flip-flop has no cases: it has no delay, and its output is no pin.
        if constexpr (K::CASES > 0) {
            const int64_t* const row = n.runs + 4 * r;
            const int64_t count = row[1];
            const int32_t* const pins = n.operands + row[2];
            const Time* const delays = t.delays + t.first_delay[r];
            const int64_t some = select<K::INPUTS>(pins, count);
            for (int64_t j = 0; j < some; j++) {
                const int64_t i = found[j];
                wave<K>(row[3] + i, pins + i, count, delays + 2 * K::CASES * i);
            }
        }
    }

    // Finds the gates of a run that have an input that toggles in this cycle.
    template <int INPUTS> int64_t select(const int32_t* pins, int64_t count) {
        int64_t some = 0;
        for (int64_t i = 0; i < count; i++) {
            uint8_t any = 0;
            UNROLLED
            for (int k = 0; k < INPUTS; k++) any |= active[pins[k * count + i]];
            found[some] = static_cast<int32_t>(i);
            some += any;
        }
        return some;
    }

    template <class K>
    void wave(int64_t out, const int32_t* pins, int64_t count, const Time* delays) {
        reserve();
        const Moment* next[K::INPUTS];
        Word in[K::INPUTS], moved[K::INPUTS];
        UNROLLED
        for (int k = 0; k < K::INPUTS; k++) {
            const int32_t net = pins[k * count];
            next[k] = moments.data() + waves[net].first;
            in[k] = n.values[net] ^ waves[net].moved;
        }
        Moment* to = moments.data() + top;
        const auto emit = [&](Time at, Word lanes) INLINED { *to++ = {at, lanes}; };
        const Word old = K::value(in);
        Word value = old;
        Pending pending{ring};
        uint64_t toggles = 0, swallowed = 0;
        for (;;) {
            Time now = next[0]->at;
            UNROLLED
            for (int k = 1; k < K::INPUTS; k++) now = std::min(now, next[k]->at);
            if (now == NEVER) break;
            // Without branches: the processor could not predict which input is next.
            UNROLLED
            for (int k = 0; k < K::INPUTS; k++) {
                const bool moves = next[k]->at == now;
                moved[k] = next[k]->lanes & -Word{moves};
                next[k] += moves;
                in[k] ^= moved[k];
            }
            const Word before = value;
            value = K::value(in);
            const Word changed = value ^ before;
            if (!changed) continue;
            pending.pass(now, emit);
            const Word back = changed & pending.lanes(), begun = changed ^ back;
            if (back) {
                pending.withdraw(back);
                swallowed += __builtin_popcountll(back);
            }
            if (!begun) continue;
            toggles += __builtin_popcountll(begun);
            pending.begin(now, begun);
            Word any = ZEROS, several = ZEROS;
            UNROLLED
            for (int k = 0; k < K::INPUTS; k++) {
                moved[k] &= begun;
                several |= any & moved[k];
                any |= moved[k];
            }
            if (K::CASES <= FEW && !several) {
                K::each_case(in, moved, [&](int index, Word lanes) INLINED {
                    pending.add(now + delays[2 * index], lanes & value);
                    pending.add(now + delays[2 * index + 1], lanes & ~value);
                });
                continue;
            }
            Begun all[2 * K::CASES];
            int number = 0;
            K::each_case(in, moved, [&](int index, Word lanes) INLINED {
                all[number] = {delays[2 * index], lanes & value};
                number += all[number].lanes != 0;
                all[number] = {delays[2 * index + 1], lanes & ~value};
                number += all[number].lanes != 0;
            });
            if (several) keep_least(all, number);
            for (int i = 0; i < number; i++) pending.add(now + all[i].delay, all[i].lanes);
        }
        pending.pass(NEVER - 64, emit);
        const uint32_t first = top;
        top = static_cast<uint32_t>(to - moments.data());
        toggles -= swallowed;
        glitches[out] += weight * (toggles - __builtin_popcountll(value ^ old));
        t.swallowed[out] += weight * swallowed;
        finish(out, first, value ^ old);
    }

    // If a lane is in several elements, only the one with the least delay keeps it.
    [[gnu::noinline]] static void keep_least(Begun* all, int number) {
        std::sort(all, all + number, [](Begun& a, Begun& b) { return a.delay < b.delay; });
        Word kept = ZEROS;
        for (int i = 0; i < number; i++) {
            all[i].lanes &= ~kept;
            kept |= all[i].lanes;
        }
    }

    TimedArrays& t;
    std::vector<Wave> waves;
    std::vector<uint8_t> active;
    std::vector<int32_t> touched, found;
    std::vector<Word> inputs, held;  // inputs and states before the cycle's edge
    std::vector<Moment> moments = std::vector<Moment>(1 << 16);
    uint32_t top = 0;
    Time latest = 0;
    Ring ring;
    double* glitches = nullptr;
    uint64_t group = 0, stratum = 0, all_moved = 0;
    double weight = 1, shares = 0;
};

}  // namespace
