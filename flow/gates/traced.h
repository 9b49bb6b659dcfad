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

#if defined(__AVX512VBMI__) && defined(__GFNI__)
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

#if defined(__AVX512VBMI__) && defined(__GFNI__)

// Orders of bytes in LaneSums.
struct alignas(64) Orders {
    uint8_t of_bytes[64], of_lanes[64];
    constexpr Orders() : of_bytes{}, of_lanes{} {
        for (int i = 0; i < 64; i++) {
            of_bytes[i] = 8 * (7 - i % 8) + i / 8;  // a matrix has its last row first
            of_lanes[i] = 16 * (i % 4) + i / 4;
        }
    }
};
constexpr Orders ORDERS;

// Energies of the lanes.
class LaneSums {
  public:
    static constexpr int64_t NETS = 8;

    explicit LaneSums(const float* start) { std::memcpy(sums, start, sizeof sums); }

    INLINED void add(Word lanes, float weight) {
        const __m512 each = _mm512_set1_ps(weight);
#pragma GCC unroll 4
        for (int i = 0; i < 4; i++) {
            sums[i] = _mm512_mask_add_ps(sums[i], __mmask16(lanes >> 16 * i), sums[i], each);
        }
    }

    // Adds the weights of NETS nets, four at a time: their bits choose one of 16 sums.
    INLINED void add(const Word* toggled, const float* weights) {
        const __m512i rows = _mm512_loadu_si512(toggled);
        if (!_mm512_test_epi64_mask(rows, rows)) return;
        // Byte b of all nets; then a byte for each lane; then byte m of word d is lane 16 * m + d.
        const __m512i bytes = _mm512_permutexvar_epi8(_mm512_load_si512(ORDERS.of_bytes), rows);
        const __m512i bits =
            _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64(0x8040201008040201), bytes, 0);
        const __m512i lanes = _mm512_permutexvar_epi8(_mm512_load_si512(ORDERS.of_lanes), bits);
        const __m512 low = choices(weights), high = choices(weights + 4);
#pragma GCC unroll 4
        for (int m = 0; m < 4; m++) {
            sums[m] += _mm512_permutexvar_ps(_mm512_srli_epi32(lanes, 8 * m), low);
            sums[m] += _mm512_permutexvar_ps(_mm512_srli_epi32(lanes, 8 * m + 4), high);
        }
    }

    void write(float* to) const { std::memcpy(to, sums, sizeof sums); }

  private:
    // The sum of the weights of each subset of four nets.
    INLINED static __m512 choices(const float* weights) {
        __m512 sum = _mm512_maskz_mov_ps(0xAAAA, _mm512_set1_ps(weights[0]));
        sum = _mm512_mask_add_ps(sum, 0xCCCC, sum, _mm512_set1_ps(weights[1]));
        sum = _mm512_mask_add_ps(sum, 0xF0F0, sum, _mm512_set1_ps(weights[2]));
        return _mm512_mask_add_ps(sum, 0xFF00, sum, _mm512_set1_ps(weights[3]));
    }

    __m512 sums[4];
};

#else

class LaneSums {
    typedef float Floats __attribute__((vector_size(32)));
    typedef int32_t Masks __attribute__((vector_size(32)));

  public:
    static constexpr int64_t NETS = 8;

    explicit LaneSums(const float* start) { std::memcpy(sums, start, sizeof sums); }

    INLINED void add(Word lanes, float weight) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++) sums[i] += chosen(lanes, i, weight);
    }

    // The order of the additions is the same as above, so that the sums are the same.
    INLINED void add(const Word* toggled, const float* weights) {
        for (int net = 0; net < NETS; net += 4) {
            if (!(toggled[net] | toggled[net + 1] | toggled[net + 2] | toggled[net + 3])) continue;
            for (int i = 0; i < 8; i++) {
                Floats sum = chosen(toggled[net], i, weights[net]);
                for (int k = 1; k < 4; k++) sum += chosen(toggled[net + k], i, weights[net + k]);
                sums[i] += sum;
            }
        }
    }

    void write(float* to) const { std::memcpy(to, sums, sizeof sums); }

  private:
    INLINED static Floats chosen(Word lanes, int byte, float weight) {
        return (Floats)((Masks)(Floats{} + weight) & MASKS.of[lanes >> 8 * byte & 255]);
    }

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
            constexpr int64_t NETS = LaneSums::NETS;
            const float* const weights = a.output_weights + first;
            LaneSums sums{at};
            int64_t i = 0;
            for (; i + NETS <= count; i += NETS) sums.add(toggled + i, weights + i);
            if (i < count) {
                Word rest[NETS] = {};
                float each[NETS] = {};
                std::copy(toggled + i, toggled + count, rest);
                std::copy(weights + i, weights + count, each);
                sums.add(rest, each);
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
