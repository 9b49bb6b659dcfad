// Library of gate-level simulation with delays: the benches of all protocols on a netlist.

#include "timed.h"
#include "streams.h"
#include "systems.h"

using StreamGates = GateCircuit<StreamPorts, TimedGates, TimedArrays>;
using SystemGates = GateCircuit<SystemPorts, TimedGates, TimedArrays>;

extern "C" int32_t run_streams(
    TimedArrays* const* netlists, StreamBatch* const* batches, uint64_t count,
    CallControl* control) {
    return run_batches<StreamBench<StreamGates>, StreamGates>(netlists, batches, count, *control);
}

extern "C" int32_t run_systems(
    TimedArrays* const* netlists, SystemBatch* const* batches, uint64_t count,
    CallControl* control) {
    return run_batches<SystemBench<SystemGates>, SystemGates>(netlists, batches, count, *control);
}
