// Faster replacements for Verilator's operations that move the bits of wide values.
//
// Verilator replicates bit by bit, and shifts word by word with branches. This takes nine tenths of
// the time in a circuit that masks and shifts rows (a Booth multiplier, a carry-save tree). The
// loops here compile to vector instructions. Every compiled file includes this header first; it
// includes Verilator's declarations.

#include "verilated.h"

namespace wide {

#define WIDE_INLINE __attribute__((always_inline)) static inline

constexpr int WORD = VL_EDATASIZE;

// Shifts ``words`` words of ``from`` left by 1 .. WORD - 1 bits; ``below`` fills the lowest bits.
WIDE_INLINE void shift_left(WDataOutP to, WDataInP from, int words, int shift, EData below) {
    to[0] = from[0] << shift | below;
    for (int i = 1; i < words; ++i) to[i] = from[i] << shift | from[i - 1] >> (WORD - shift);
}

// Shifts ``available`` words of ``from`` right by 0 .. WORD - 1 bits, to ``words`` words.
WIDE_INLINE void shift_right(WDataOutP to, WDataInP from, int words, int available, int shift) {
    if (shift == 0) {
        for (int i = 0; i < words; ++i) to[i] = from[i];
        return;
    }
    const int both = words < available ? words : words - 1;
    for (int i = 0; i < both; ++i) to[i] = from[i] >> shift | from[i + 1] << (WORD - shift);
    if (both < words) to[both] = from[both] >> shift;
}

WIDE_INLINE void clear(WDataOutP to, int first, int end) {
    for (int i = first; i < end; ++i) to[i] = 0;
}

// ``times`` copies of ``part``, which has ``nbits`` bits; higher bits are 0.
WIDE_INLINE WDataOutP replicate(int nbits, WDataOutP to, IData part, IData times) {
    if (nbits != 1) return VL_REPLICATE_WII(nbits, to, part, times);
    const EData word = -static_cast<EData>(part);
    const int last = VL_WORDS_I(times) - 1;
    for (int i = 0; i < last; ++i) to[i] = word;
    to[last] = word & VL_MASK_E(times);
    return to;
}

// ``from``, which has ``nbits`` bits, shifted left by ``by``; higher bits are 0.
WIDE_INLINE WDataOutP shifted_left(int nbits, WDataOutP to, WDataInP from, IData by) {
    const int words = VL_WORDS_I(nbits), skipped = VL_BITWORD_E(by), shift = VL_BITBIT_E(by);
    if (by >= static_cast<IData>(nbits)) {
        clear(to, 0, words);
        return to;
    }
    clear(to, 0, skipped);
    if (shift) {
        shift_left(to + skipped, from, words - skipped, shift, 0);
    } else {
        for (int i = skipped; i < words; ++i) to[i] = from[i - skipped];
    }
    to[words - 1] &= VL_MASK_E(nbits);
    return to;
}

// ``from``, which has ``nbits`` bits, shifted right by ``by``.
WIDE_INLINE WDataOutP shifted_right(int nbits, WDataOutP to, WDataInP from, IData by) {
    const int words = VL_WORDS_I(nbits), skipped = VL_BITWORD_E(by);
    if (by >= static_cast<IData>(nbits)) {
        clear(to, 0, words);
        return to;
    }
    const int left = words - skipped;
    shift_right(to, from + skipped, left, left, VL_BITBIT_E(by));
    clear(to, left, words);
    return to;
}

// ``width`` bits of ``from`` from bit ``low`` on; higher bits of the last word are undefined.
// Verilator's own function handles a selection beyond the end of ``from``.
WIDE_INLINE WDataOutP selected(
    int nbits, int from_nbits, WDataOutP to, WDataInP from, IData low, IData width) {
    const int high = low + width - 1, skipped = VL_BITWORD_E(low);
    if (VL_UNLIKELY(high > from_nbits)) return VL_SEL_WWII(nbits, from_nbits, to, from, low, width);
    const int words = VL_WORDS_I(width);
    shift_right(to, from + skipped, words, VL_BITWORD_E(high) - skipped + 1, VL_BITBIT_E(low));
    clear(to, words, VL_WORDS_I(nbits));
    return to;
}

// Puts ``left`` (``left_nbits`` bits) above the lowest ``right_nbits`` bits of ``to``.
WIDE_INLINE WDataOutP put_above(WDataOutP to, WDataInP left, int left_nbits, int right_nbits) {
    const int words = VL_WORDS_I(left_nbits), all = VL_WORDS_I(left_nbits + right_nbits);
    const int skipped = VL_BITWORD_E(right_nbits), shift = VL_BITBIT_E(right_nbits);
    if (shift == 0) {
        for (int i = 0; i < words; ++i) to[skipped + i] = left[i];
        return to;
    }
    shift_left(to + skipped, left, words, shift, to[skipped]);
    if (skipped + words < all) to[all - 1] = left[words - 1] >> (WORD - shift);
    return to;
}

WIDE_INLINE WDataOutP concatenated(
    int left_nbits, int right_nbits, WDataOutP to, WDataInP left, IData right) {
    to[0] = right;
    return put_above(to, left, left_nbits, right_nbits);
}

WIDE_INLINE WDataOutP concatenated(
    int left_nbits, int right_nbits, WDataOutP to, WDataInP left, QData right) {
    VL_SET_WQ(to, right);
    return put_above(to, left, left_nbits, right_nbits);
}

WIDE_INLINE WDataOutP concatenated(
    int left_nbits, int right_nbits, WDataOutP to, WDataInP left, WDataInP right) {
    for (int i = 0; i < VL_WORDS_I(right_nbits); ++i) to[i] = right[i];
    return put_above(to, left, left_nbits, right_nbits);
}

}  // namespace wide

#define VL_REPLICATE_WII(nbits, to, part, times) wide::replicate(nbits, to, part, times)
#define VL_SHIFTL_WWI(nbits, from_nbits, by_nbits, to, from, by) \
    wide::shifted_left(nbits, to, from, by)
#define VL_SHIFTR_WWI(nbits, from_nbits, by_nbits, to, from, by) \
    wide::shifted_right(nbits, to, from, by)
#define VL_SEL_WWII(nbits, from_nbits, to, from, low, width) \
    wide::selected(nbits, from_nbits, to, from, low, width)
#define VL_CONCAT_WWI(nbits, left_nbits, right_nbits, to, left, right) \
    wide::concatenated(left_nbits, right_nbits, to, left, static_cast<IData>(right))
#define VL_CONCAT_WWQ(nbits, left_nbits, right_nbits, to, left, right) \
    wide::concatenated(left_nbits, right_nbits, to, left, static_cast<QData>(right))
#define VL_CONCAT_WWW(nbits, left_nbits, right_nbits, to, left, right) \
    wide::concatenated(left_nbits, right_nbits, to, left, static_cast<WDataInP>(right))
