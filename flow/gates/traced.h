// Simulation of a netlist that records energies: in each cycle, the energy of a lane is the sum of
// the weights of the nets' toggles. Without delays (gates.h), a net toggles if it differs from the
// cycle before; outputs of gates are weighed as they are evaluated. With delays (timed.h), each of
// its toggles counts, glitches too; there, only the cycles and lanes that the bench counts have
// energies.
//
// Only cycles in which the bench counts a lane have energies.
//
// The weights come in groups, such as the modules of the circuit; each group has a sum of its own.
// The weight of a gated clock counts in the cycles that follow a cycle with an enable of 1.

#include <stdexcept>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "gates.h"

namespace {

// Gates without delays, as base of TracedGates.
class SettledGates : public Gates {
  protected:
    explicit SettledGates(TracedArrays& arrays)
        : Gates{*arrays.netlist}, counts{arrays.counts != 0} {}

    template <class Watch> void settle(Word counted, const Watch& watch) {
        Gates::settle(counts ? counted : ZEROS, watch);
    }

    // Calls the function with the lanes of each toggle of a net in the current cycle.
    template <class Function> INLINED void toggles(int64_t net, Word earlier, Function function) {
        function(n.values[net] ^ earlier);
    }

  private:
    const bool counts;  // whether the activity of all nets is wanted, which takes as long again
};

#ifdef __AVX512F__

// Energies of the lanes.
class LaneSums {
  public:
    explicit LaneSums(const float* start) { std::memcpy(sums, start, sizeof sums); }

    INLINED void add(Word lanes, float weight) {
        const __m512 each = _mm512_set1_ps(weight);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            sums[i] = _mm512_mask_add_ps(sums[i], __mmask16(lanes >> 16 * i), sums[i], each);
        }
    }

    void write(float* to) const { std::memcpy(to, sums, sizeof sums); }

  private:
    __m512 sums[4];
};

#else

class LaneSums {
    typedef float Floats __attribute__((vector_size(32)));
    typedef int32_t Masks __attribute__((vector_size(32)));

  public:
    explicit LaneSums(const float* start) { std::memcpy(sums, start, sizeof sums); }

    INLINED void add(Word lanes, float weight) {
        const Floats each = Floats{} + weight;
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) {
            sums[i] += (Floats)((Masks)each & MASKS.of[lanes >> 8 * i & 255]);
        }
    }

    void write(float* to) const { std::memcpy(to, sums, sizeof sums); }

  private:
    // For each byte of lanes, all ones in the lanes whose bit is 1.
    struct Table {
        Masks of[256];
        Table() {
            for (int byte = 0; byte < 256; byte++) {
                for (int lane = 0; lane < 8; lane++) of[byte][lane] = -(byte >> lane & 1);
            }
        }
    };
    inline static const Table MASKS;

    Floats sums[8];
};

#endif

template <class Base> class TracedGates : public Base {
  public:
    explicit TracedGates(TracedArrays& arrays)
        : Base{arrays}, a{arrays}, earlier(a.group_ends[2 * a.group_count - 1], ZEROS) {}

    void open_window() { follow(); }

    void settle(Word counted) {
        if (a.cycles == a.capacity) throw std::runtime_error("more cycles than the trace has");
        float* const row = a.energies + a.cycles++ * a.group_count * Base::LANES;
        if (!counted) {
            Base::settle(counted, Base::UNWATCHED);
            return follow();
        }
        for (uint64_t group = 0; group < a.group_count; group++) {
            std::fill_n(row + group * Base::LANES, Base::LANES, a.fixed[group]);
        }
        Base::settle(counted, Watch{a, row});
        for (uint64_t group = 0; group < a.group_count; group++) {
            record(group, row + group * Base::LANES);
        }
    }

    void close(Word) {}

  private:
    // Adds the energies of outputs that toggle, as they are evaluated.
    struct Watch {
        static constexpr int64_t MOST = 256;
        const TracedArrays& a;
        float* const row;

        void operator()(int64_t first, const Word* toggled, int64_t count) const {
            for (const int64_t end = first + count; first < end;) {
                while (a.spans[2 * span] <= first) span++;
                const int64_t group = a.spans[2 * span + 1];
                const int64_t to = std::min(a.spans[2 * span], end);
                if (group >= 0) add(row + group * Base::LANES, first, toggled, to - first);
                toggled += to - first;
                first = to;
            }
        }

        INLINED void add(float* at, int64_t first, const Word* toggled, int64_t count) const {
            LaneSums sums{at};
            for (int64_t i = 0; i < count; i++) {
                if (toggled[i]) sums.add(toggled[i], a.output_weights[first + i]);
            }
            sums.write(at);
        }

        mutable uint64_t span = 0;
    };

    // Keeps the values of a cycle whose energies are not recorded.
    void follow() {
        for (size_t i = 0; i < earlier.size(); i++) earlier[i] = this->n.values[a.nets[i]];
    }

    // Writes the energies of a group in the current cycle, one for each lane.
    void record(uint64_t group, float* to) {
        const uint64_t begin = group ? a.group_ends[2 * group - 1] : 0;
        const uint64_t clocks = a.group_ends[2 * group], end = a.group_ends[2 * group + 1];
        if (begin == end) return;
        LaneSums sums{to};
        for (uint64_t i = begin; i < clocks; i++) {
            const float weight = a.weights[i];
            this->toggles(a.nets[i], earlier[i], [&](Word lanes) INLINED {
                if (lanes) sums.add(lanes, weight);
            });
            earlier[i] = this->n.values[a.nets[i]];
        }
        for (uint64_t i = clocks; i < end; i++) {
            sums.add(earlier[i], a.weights[i]);
            earlier[i] = this->n.values[a.nets[i]];
        }
        sums.write(to);
    }

    TracedArrays& a;
    std::vector<Word> earlier;  // the values in the cycle before
};

}  // namespace
