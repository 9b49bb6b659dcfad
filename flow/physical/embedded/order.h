// The order in which a netlist's instances are timed.

#pragma once

#include "netlist.h"

namespace physical {

inline bool has_driver(const Netlist& netlist, int pin) {
    int net = netlist.pin_net[pin];
    return net >= 0 && netlist.type(netlist.driver(net)).output;
}

inline bool is_source(const Netlist& netlist, int pin, int instance) {
    if (netlist.is(instance, OUTPUT)) return true;
    for (const Arc& arc : netlist.cell(instance).arcs)
        if (netlist.pin0[instance] + arc.source == pin) return true;
    return false;
}

// Order the instances so that each follows those that drive the sources of its arcs.
inline std::vector<int> in_order(const Netlist& netlist) {
    int count = netlist.count();
    std::vector<int> waiting(count, 0), ready, order;
    for (int i = 0; i < count; i++) {
        if (netlist.kind[i] < 0) continue;
        uint64_t seen = 0;
        for (const Arc& arc : netlist.cell(i).arcs) {
            if (seen >> arc.source & 1) continue;
            seen |= uint64_t(1) << arc.source;
            if (has_driver(netlist, netlist.pin0[i] + arc.source)) waiting[i]++;
        }
        if (netlist.is(i, OUTPUT)) waiting[i] = has_driver(netlist, netlist.pin0[i]);
        if (!waiting[i]) ready.push_back(i);
    }
    while (!ready.empty()) {
        int i = ready.back();
        ready.pop_back();
        order.push_back(i);
        const auto& pins = netlist.cell(i).pins;
        for (size_t p = 0; p < pins.size(); p++) {
            int net = netlist.pin_net[netlist.pin0[i] + p];
            if (!pins[p].output || net < 0) continue;
            for (size_t s = 1; s < netlist.nets[net].pins.size(); s++) {
                int sink = netlist.nets[net].pins[s], to = netlist.pin_instance[sink];
                if (is_source(netlist, sink, to) && !--waiting[to]) ready.push_back(to);
            }
        }
    }
    return order;
}

}  // namespace physical
