// The library of gate-level simulation: a function for each kind of surroundings.

#include "streams.h"
#include "system.h"

extern "C" int32_t simulate_streams(StreamSimulation* simulation) {
    return StreamBench(*simulation).run();
}

extern "C" int32_t simulate_system(SystemSimulation* simulation) {
    return SystemBench(*simulation).run();
}
