// Simulation of a netlist that records energies: in each cycle, the energy of a lane is the sum of
// the weights of the nets' toggles. Without delays (gates.h), a net toggles if it differs from the
// cycle before. With delays (timed.h), each of its toggles counts, glitches too; there, only the
// cycles and lanes that the bench counts have energies.
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

    void settle(Word counted) { Gates::settle(counts ? counted : ZEROS); }

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
    explicit LaneSums(float start) {
        for (__m512& sum : sums) sum = _mm512_set1_ps(start);
    }

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
    explicit LaneSums(float start) {
        for (Floats& sum : sums) sum = Floats{} + start;
    }

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
        Base::settle(counted);
        if (a.cycles == a.capacity) throw std::runtime_error("more cycles than the trace has");
        float* to = a.energies + a.cycles++ * a.group_count * Base::LANES;
        if (!counted) return follow();
        for (uint64_t group = 0; group < a.group_count; group++, to += Base::LANES) record(group, to);
    }

    void close(Word) {}

  private:
    // Keeps the values of a cycle whose energies are not recorded.
    void follow() {
        for (size_t i = 0; i < earlier.size(); i++) earlier[i] = this->n.values[a.nets[i]];
    }

    // Writes the energies of a group in the current cycle, one for each lane.
    void record(uint64_t group, float* to) {
        const uint64_t begin = group ? a.group_ends[2 * group - 1] : 0;
        const uint64_t clocks = a.group_ends[2 * group], end = a.group_ends[2 * group + 1];
        LaneSums sums{a.fixed[group]};
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
