// Common part of the C++ test benches of all protocols (two streams, or a processor system).
//
// A bench drives a circuit, which it holds by reference. A circuit has:
//
//   LANES                 number of copies (lanes) that run side by side; a lane has its own inputs
//                         and one bit of `Lanes`
//   QUIET                 energy is measured: a message that is not valid keeps its value
//   EDGE_SHOWS_REGISTERS  outputs of registers have their new values after `edge`, before `settle`
//   hold_reset(cycles)    runs a reset with the inputs at rest
//   open_window()         starts the counting of toggles
//   settle(counted)       settles the outputs; toggles count in the lanes of `counted`
//   edge()                rising edge of the clock
//   close(counted)        ends the window with the inputs at rest; toggles of a last `settle` count
//                         in the lanes of `counted`
//   ports                 ports with the names in ports.py. get and set access one bit in every
//                         lane; number, read and write access the value of one lane; write_inverse
//                         writes the bitwise inverse of a value, write_ones writes ones
//
// Messages are 32-bit words, the least significant first.

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

// Functions that are always inlined, so that their variables stay in registers.
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

// Runs batches, each on a new circuit, until one fails.
template <class Bench, class Circuit, class Setup, class Batch>
int32_t run_batches(
    Setup* const* setups, Batch* const* batches, uint64_t count, CallControl& control) {
    RunOutcome outcome = DONE;
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
