// Contents of the registers of a new model: zeros, or random values.
//
// Verilator's own functions draw with one seed per variable, so that all words of a memory would be
// equal; the macros at the end replace them. Every compiled file includes this header first; it
// includes Verilator's declarations.

#include "verilated.h"

#include <cstdint>

namespace power_up {

// State of the generator for the model that this thread makes; 0: all registers are zero.
inline thread_local uint64_t state = 0;

inline uint64_t draw() {
    if (state == 0) return 0;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545F4914F6CDD1D) >> 32 | state << 32;
}

inline WDataOutP draw_wide(int nbits, WDataOutP to) {
    for (int i = 0; i < VL_WORDS_I(nbits); i++) to[i] = static_cast<EData>(draw());
    to[VL_WORDS_I(nbits) - 1] &= VL_MASK_E(nbits);
    return to;
}

}  // namespace power_up

#define VL_SCOPED_RAND_RESET_I(nbits, scope, salt) \
    static_cast<IData>(power_up::draw() & VL_MASK_I(nbits))
#define VL_SCOPED_RAND_RESET_Q(nbits, scope, salt) (power_up::draw() & VL_MASK_Q(nbits))
#define VL_SCOPED_RAND_RESET_W(nbits, to, scope, salt) power_up::draw_wide(nbits, to)
