// Library of gate-level simulation without delays: the benches of all protocols on a netlist.

#include "faults.h"
#include "streams.h"
#include "systems.h"

using StreamGates = GateCircuit<StreamPorts>;
using SystemGates = GateCircuit<SystemPorts>;
using FaultyStreamGates = GateCircuit<StreamPorts, FaultyGates, FaultArrays>;

extern "C" int32_t run_streams(
    NetlistArrays* const* netlists, StreamBatch* const* batches, uint64_t count,
    CallControl* control) {
    return run_batches<StreamBench<StreamGates>, StreamGates>(netlists, batches, count, *control);
}

extern "C" int32_t run_systems(
    NetlistArrays* const* netlists, SystemBatch* const* batches, uint64_t count,
    CallControl* control) {
    return run_batches<SystemBench<SystemGates>, SystemGates>(netlists, batches, count, *control);
}

extern "C" int32_t run_faulty_streams(
    FaultArrays* const* netlists, StreamBatch* const* batches, uint64_t count,
    CallControl* control) {
    return run_batches<StreamBench<FaultyStreamGates>, FaultyStreamGates>(
        netlists, batches, count, *control);
}
