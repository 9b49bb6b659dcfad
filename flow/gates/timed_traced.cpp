// Library of gate-level simulation with delays that records the energy of every cycle and lane.

#include "timed.h"
#include "traced.h"
#include "streams.h"

namespace {

// Gates with delays, as base of TracedGates.
class DelayedGates : public TimedGates {
  protected:
    explicit DelayedGates(TracedArrays& arrays) : TimedGates{*arrays.timed} {}

    // Outputs have no weights of their own: each of their moments counts.
    template <class Watch> void settle(Word counted, const Watch&) { TimedGates::settle(counted); }

    template <class Function> INLINED void toggles(int64_t net, Word, Function function) {
        each_moment(net, [&](const Moment& moment) INLINED { function(moment.lanes); });
    }
};

}  // namespace

using StreamGates = GateCircuit<StreamPorts, TracedGates<DelayedGates>, TracedArrays>;

extern "C" int32_t run_streams(
    TracedArrays* const* netlists, StreamBatch* const* batches, uint64_t count,
    CallControl* control) {
    return run_batches<StreamBench<StreamGates>, StreamGates>(netlists, batches, count, *control);
}
