// Simulation of a netlist that records energies: in each cycle, the energy of a lane is the sum of
// the weights of the nets' toggles. Without delays (gates.h), a net toggles if it differs from the
// cycle before. With delays (timed.h), each of its toggles counts, glitches too; there, only the
// cycles and lanes that the bench counts have energies.
//
// The weights come in groups, such as the modules of the circuit; each group has a sum of its own.
// The weight of a gated clock counts in the cycles that follow a cycle with an enable of 1.

#include <stdexcept>

#include "gates.h"

namespace {

// Gates without delays, as base of TracedGates.
class SettledGates : public Gates {
  protected:
    explicit SettledGates(TracedArrays& arrays) : Gates{*arrays.netlist} {}

    // Calls the function with the lanes of each toggle of a net in the current cycle.
    template <class Function> INLINED void toggles(int64_t net, Word earlier, Function function) {
        function(n.values[net] ^ earlier);
    }
};

template <class Base> class TracedGates : public Base {
  public:
    explicit TracedGates(TracedArrays& arrays)
        : Base{arrays}, a{arrays}, earlier(a.group_ends[2 * a.group_count - 1], ZEROS) {
        for (int byte = 0; byte < 256; byte++) {
            for (int lane = 0; lane < 8; lane++) masks[byte][lane] = -(byte >> lane & 1);
        }
    }

    void open_window() {
        for (size_t i = 0; i < earlier.size(); i++) earlier[i] = this->n.values[a.nets[i]];
    }

    void settle(Word counted) {
        Base::settle(counted);
        if (a.cycles == a.capacity) throw std::runtime_error("more cycles than the trace has");
        float* to = a.energies + a.cycles++ * a.group_count * Base::LANES;
        for (uint64_t group = 0; group < a.group_count; group++, to += Base::LANES) record(group, to);
    }

    void close(Word) {}

  private:
    typedef float Floats __attribute__((vector_size(32)));
    typedef int32_t Masks __attribute__((vector_size(32)));

    // Writes the energies of a group in the current cycle, one for each lane.
    void record(uint64_t group, float* to) {
        const uint64_t begin = group ? a.group_ends[2 * group - 1] : 0;
        const uint64_t clocks = a.group_ends[2 * group], end = a.group_ends[2 * group + 1];
        Floats sums[8];
        for (Floats& sum : sums) sum = Floats{} + a.fixed[group];
        const auto add = [&](Word lanes, float weight) INLINED {
            const Floats each = Floats{} + weight;
#pragma GCC unroll 8
            for (int i = 0; i < 8; i++) sums[i] += (Floats)((Masks)each & masks[lanes >> 8 * i & 255]);
        };
        for (uint64_t i = begin; i < clocks; i++) {
            const float weight = a.weights[i];
            this->toggles(a.nets[i], earlier[i], [&](Word lanes) INLINED { add(lanes, weight); });
            earlier[i] = this->n.values[a.nets[i]];
        }
        for (uint64_t i = clocks; i < end; i++) {
            add(earlier[i], a.weights[i]);
            earlier[i] = this->n.values[a.nets[i]];
        }
        std::memcpy(to, sums, sizeof sums);
    }

    TracedArrays& a;
    std::vector<Word> earlier;  // the values in the cycle before
    Masks masks[256];           // for each byte of lanes, all ones in the lanes whose bit is 1
};

}  // namespace
