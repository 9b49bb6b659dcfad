// What the benches of all protocols rest on.
//
// A bench is written over a circuit, of which it makes no copy:
//
//   LANES                 runs side by side, each with inputs of its own: a bit of `Lanes` each
//   QUIET                 energy is measured: what is not valid stays as it was
//   EDGE_SHOWS_REGISTERS  outputs that are registers have their new values before `settle`
//   hold_reset(cycles)    with the inputs at rest
//   open_window()         toggles count from here on
//   settle(counted)       outputs follow the inputs; toggles count in these lanes
//   edge()                rising edge of the clock
//   close(counted)        the inputs are at rest again: the end of the window
//   ports                 named as in protocol.py, each with get and set for one bit in every lane;
//                         number, read and write for what a lane has there, write_inverse for each
//                         bit's opposite, write_ones
//
// The words of a message are 32 bits each, the least significant first.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>

#include "records.h"

namespace {

using Lanes = uint64_t;

constexpr size_t words(size_t nbits) { return (nbits + 31) / 32; }

constexpr Lanes first_lanes(uint64_t count) {
    return count < 64 ? (Lanes{1} << count) - 1 : ~Lanes{0};
}

// Functions that are written out wherever they are called, so that their variables stay in registers.
#define INLINED __attribute__((always_inline))

// Calls a function with the number of each lane.
template <class Circuit, class Function>
INLINED inline void for_each_lane(Lanes lanes, Function function) {
    if constexpr (Circuit::LANES == 1) {
        if (lanes) function(0);
    } else {
        for (; lanes; lanes &= lanes - 1) function(__builtin_ctzll(lanes));
    }
}

// Runs batches, each from a new circuit; the first that fails is the last one.
template <class Bench, class Circuit, class Setup, class Batch>
int32_t run_batches(
    Setup* const* setups, Batch* const* batches, uint64_t count, Control& control) {
    Outcome outcome = DONE;
    for (control.done = 0; control.done < count; control.done++) {
        Batch& batch = *batches[control.done];
        try {
            Circuit circuit{*setups[control.done]};
            outcome = Bench{circuit, batch, control}.run();
        } catch (const std::exception& caught) {
            std::snprintf(batch.error, sizeof batch.error, "%s", caught.what());
            outcome = FAILED;
        }
        if (outcome != DONE) break;
    }
    return outcome;
}

}  // namespace
