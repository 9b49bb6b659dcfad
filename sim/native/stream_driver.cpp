// Runs batches of requests on Verilator's model of a component with two streams.

#include "model.h"
#include "streams.h"

extern "C" __attribute__((visibility("default"))) int32_t run_streams(
    ModelSetup* const* setups, StreamBatch* const* batches, uint64_t count, CallControl* control) {
    return run_batches<StreamBench<Model>, Model>(setups, batches, count, *control);
}
