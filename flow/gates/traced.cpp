// Library of gate-level simulation without delays that records the energy of every cycle and lane.

#include "traced.h"
#include "streams.h"

using StreamGates = GateCircuit<StreamPorts, TracedGates<SettledGates>, TracedArrays>;

extern "C" int32_t run_streams(
    TracedArrays* const* netlists, StreamBatch* const* batches, uint64_t count,
    CallControl* control) {
    return run_batches<StreamBench<StreamGates>, StreamGates>(netlists, batches, count, *control);
}
