// Programs on a system, on Verilator's model.

#include "model.h"
#include "systems.h"

extern "C" __attribute__((visibility("default"))) int32_t run_systems(
    ModelSetup* const* setups, SystemBatch* const* batches, uint64_t count, Control* control) {
    return run_batches<SystemBench<Model>, Model>(setups, batches, count, *control);
}
