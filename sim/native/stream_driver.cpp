// Batches over a component with two streams, on Verilator's model.

#include "model.h"
#include "streams.h"

extern "C" __attribute__((visibility("default"))) int32_t run_streams(
    ModelSetup* const* setups, StreamBatch* const* batches, uint64_t count, Control* control) {
    return run_batches<StreamBench<Model>, Model>(setups, batches, count, *control);
}
