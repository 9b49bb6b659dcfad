// Resistance, capacitance and Elmore delay of a net's wires.
//
// The wires follow the net's Steiner tree. An edge of length l is an L-shape with the resistance
// l x r and the capacitance l x c, half of it at each end. An edge's end that is a pin also has the
// resistance of the vias between the pin and the wire's layer. Long nets and clock nets use upper
// layers, all other nets lower ones.

#pragma once

#include <cstdint>
#include <vector>

#include "steiner.h"

namespace physical {

constexpr double NS_PER_OHM_FF = 1e-6;

// Wires of a net by class; wires.py has the values and their sources.
struct WireModel {
    double dbu_per_um;
    double long_um;           // nets of at least this length use the upper layers
    double lower_ohm_per_um;  // resistance per length
    double upper_ohm_per_um;
    double lower_via_ohm;  // of the vias between a pin and a wire
    double upper_via_ohm;
    double signal_ff_per_um;  // capacitance per length
    double clock_ff_per_um;
};

// Wires of one net: a tree with resistances and capacitances.
class NetWires {
  public:
    // tree: x, y, parent and order as in Tree; nodes 0..pins-1 are the pins.
    NetWires(const WireModel& model, bool is_clock, int pins, int nodes, const int32_t* x,
             const int32_t* y, const int32_t* parent, const int32_t* order)
        : pins_(pins), nodes_(nodes), x_(x), y_(y), parent_(parent), order_(order) {
        int64_t length = 0;
        for (int node = 1; node < nodes; node++) length += edge(node);
        length_um_ = double(length) / model.dbu_per_um;
        bool is_upper = is_clock || length_um_ >= model.long_um;
        ohm_ = (is_upper ? model.upper_ohm_per_um : model.lower_ohm_per_um) / model.dbu_per_um;
        via_ohm_ = is_upper ? model.upper_via_ohm : model.lower_via_ohm;
        ff_ = (is_clock ? model.clock_ff_per_um : model.signal_ff_per_um) / model.dbu_per_um;
    }

    NetWires(const WireModel& model, bool is_clock, int pins, const Tree& tree)
        : NetWires(model, is_clock, pins, tree.size(), tree.x.data(), tree.y.data(),
                   tree.parent.data(), tree.order.data()) {}

    double length_um() const { return length_um_; }

    // Capacitance of all wires of the net, without its pins.
    double capacitance_ff() const {
        int64_t length = 0;
        for (int node = 1; node < nodes_; node++) length += edge(node);
        return double(length) * ff_;
    }

    int parent(int node) const { return parent_[node]; }

    // Of the edge from a node to its parent; not for the driver.
    double resistance_ohm(int node) const {
        int pins = (node < pins_) + (parent_[node] < pins_);
        return double(edge(node)) * ohm_ + pins * via_ohm_;
    }
    double edge_ff(int node) const { return double(edge(node)) * ff_; }

    // Capacitance of the wires at each node, half of each edge that ends there.
    void node_capacitances(std::vector<double>& ff) const {
        ff.assign(nodes_, 0.0);
        for (int node = 1; node < nodes_; node++) {
            double half = edge_ff(node) / 2;
            ff[node] += half;
            ff[parent_[node]] += half;
        }
    }

    // Elmore delay from the driver to each node: the sum over the edges on the path of resistance x
    // capacitance behind the edge, for wires and pins. Work memory `ff` then has the capacitance
    // behind each node; that of node 0 is the driver's load.
    void elmore_ns(const double* pin_ff, std::vector<double>& ff, std::vector<double>& ns) const {
        node_capacitances(ff);
        for (int pin = 1; pin < pins_; pin++) ff[pin] += pin_ff[pin];
        for (int place = nodes_ - 1; place > 0; place--) {
            int node = order_[place];
            ff[parent_[node]] += ff[node];
        }
        ns.assign(nodes_, 0.0);
        for (int place = 1; place < nodes_; place++) {
            int node = order_[place];
            ns[node] = ns[parent_[node]] + resistance_ohm(node) * ff[node] * NS_PER_OHM_FF;
        }
    }

  private:
    int64_t edge(int node) const {
        int up = parent_[node];
        return std::abs(int64_t(x_[node]) - x_[up]) + std::abs(int64_t(y_[node]) - y_[up]);
    }

    int pins_, nodes_;
    const int32_t *x_, *y_, *parent_, *order_;
    double length_um_, ohm_, via_ohm_, ff_;
};

}  // namespace physical
