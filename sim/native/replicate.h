// Repetition of a bit, word by word.
//
// Verilator's own inserts bit after bit: in a circuit that masks rows with bits (a Booth multiplier)
// that is nine tenths of the time. Included before everything else in each file that is compiled, and
// behind Verilator's own declarations.

#include "verilated.h"

namespace wide {

// ``times`` copies of ``part``, which has ``nbits`` bits; bits beyond them are 0.
inline WDataOutP replicate(int nbits, WDataOutP result, IData part, IData times) {
    if (nbits != 1) return VL_REPLICATE_WII(nbits, result, part, times);
    const EData word = -static_cast<EData>(part);
    const int last = VL_WORDS_I(times) - 1;
    for (int i = 0; i < last; ++i) result[i] = word;
    result[last] = word & VL_MASK_E(times);
    return result;
}

}  // namespace wide

#define VL_REPLICATE_WII(nbits, result, part, times) wide::replicate(nbits, result, part, times)
