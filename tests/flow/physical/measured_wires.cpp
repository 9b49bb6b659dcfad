#include "wires.h"

#include <algorithm>
#include <vector>

using namespace physical;

// For each net: length, capacitance of its wires, and Elmore delay at each of its pins, in the order
// of net_pins. pin_ff: capacitance of each pin.
extern "C" void measure_wires(
    int64_t nets, const int64_t* net_start, const int32_t* net_pins, const int64_t* node_start,
    const int32_t* x, const int32_t* y, const int32_t* parent, const int32_t* order,
    const double* model, const uint8_t* is_clock, const double* pin_ff, double* length_um,
    double* wire_ff, double* delay_ns) {
    const auto& wire_model = *reinterpret_cast<const WireModel*>(model);
    std::vector<double> loads, ff, ns;
    for (int64_t net = 0; net < nets; net++) {
        int64_t first = net_start[net], pins = net_start[net + 1] - first;
        length_um[net] = wire_ff[net] = 0;
        if (!pins) continue;
        int64_t at = node_start[net];
        NetWires wires(wire_model, is_clock[net] != 0, int(pins), int(node_start[net + 1] - at),
                       x + at, y + at, parent + at, order + at);
        loads.resize(pins);
        for (int64_t i = 0; i < pins; i++) loads[i] = pin_ff[net_pins[first + i]];
        wires.elmore_ns(loads.data(), ff, ns);
        length_um[net] = wires.length_um();
        wire_ff[net] = wires.capacitance_ff();
        std::copy(ns.begin(), ns.begin() + pins, delay_ns + first);
    }
}
