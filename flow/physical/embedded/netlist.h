// A placed netlist that can be changed: sizes, buffers, places; and the wires of its nets.

#pragma once

#include <cmath>
#include <tuple>

#include "cells.h"
#include "wires.h"

namespace physical {

// Price of a path from the driver, in lengths of wire; as in layout_files.py.
constexpr double TREE_ALPHA = 0.4;

struct Net {
    std::vector<int> pins;  // the driver first
    Tree tree;
    float load[2] = {0, 0};  // of the driver by edge, with the wire; fF
    float early[2] = {0, 0};  // the same for early edges
    float wire = 0;          // capacitance of the wire, fF
    bool clock = false;
    bool stale = true;       // loads have to be found anew
    bool moved = true;       // the tree has to be built anew

    bool used() const { return !pins.empty(); }
};

// What a change of the netlist changes, so that it can be kept and restored as a whole.
struct State {
    std::vector<int> kind, x, y;  // kind -1: removed
    std::vector<uint8_t> orient;
    std::vector<int> pin0;         // first pin of each instance
    std::vector<int> pin_net, pin_instance;
    std::vector<float> elmore;     // ns from the driver to each pin
    std::vector<Net> nets;
    std::vector<int> parent;       // of an inserted instance: the instance that it stands for
    std::vector<int> second;       // of an adder cell: the instance that its other output stands for;
                                   // of a gate with the complement of another one: the other one
};

class Netlist : public State {
  public:
    const Library& library;
    const WireModel wiring;
    int given;                     // instances below this number were given

    Netlist(const Library& lib, const WireModel& w, const DesignArrays& d)
        : library(lib), wiring(w), given(int(d.count)) {
        kind.assign(d.kind, d.kind + d.count);
        x.assign(d.x, d.x + d.count);
        y.assign(d.y, d.y + d.count);
        orient.assign(d.orient, d.orient + d.count);
        nets.resize(d.net_count);
        parent.assign(kind.size(), -1);
        second.assign(kind.size(), -1);
        int pin = 0;
        for (size_t i = 0; i < kind.size(); i++) {
            pin0.push_back(pin);
            for (size_t p = 0; p < cell(i).pins.size(); p++, pin++) {
                pin_net.push_back(d.pin_net[pin]);
                pin_instance.push_back(int(i));
                if (d.pin_net[pin] < 0) continue;
                auto& pins = nets[d.pin_net[pin]].pins;
                pins.push_back(pin);
                if (cell(i).pins[p].output) std::swap(pins.front(), pins.back());
            }
        }
        elmore.assign(pin_net.size(), 0);
        mark_clock();
    }

    const Kind& cell(size_t instance) const { return library.kinds[kind[instance]]; }
    const KindPin& type(int pin) const {
        int own = pin_instance[pin];
        return cell(own).pins[pin - pin0[own]];
    }
    bool is(int instance, int role) const { return kind[instance] >= 0 && cell(instance).role & role; }
    int count() const { return int(kind.size()); }
    int driver(int net) const { return nets[net].pins[0]; }

    double area() const {
        double sum = 0;
        for (int i = 0; i < count(); i++) if (kind[i] >= 0) sum += cell(i).area;
        return sum;
    }

    float capacitance(int pin, int edge) const {
        if (is(pin_instance[pin], OUTPUT)) return library.port_load;
        return type(pin).capacitance[edge];
    }

    float early_capacitance(int pin, int edge) const {
        return is(pin_instance[pin], OUTPUT) ? library.port_load : type(pin).early[edge];
    }

    std::pair<int, int> place(int pin) const {
        int own = pin_instance[pin];
        const Kind& k = cell(own);
        const KindPin& p = type(pin);
        bool turned = orient[own] >= 2, flipped = orient[own] == 1 || orient[own] == 2;
        return {x[own] + (turned ? k.width - p.x : p.x), y[own] + (flipped ? k.height - p.y : p.y)};
    }

    // Whether an instance belongs to the clock: a gate or a buffer of it.
    bool of_clock(int instance) const {
        int role = cell(instance).role;
        if (!(role & CLOCK_BUFFER)) return role & GATE;
        if (!(role & BUFFER)) return true;
        int net = output_net(instance);
        return net >= 0 && nets[net].clock;
    }

    // Whether a net ties asynchronous resets and sets: no signal, and no limit for its wires.
    bool is_tie(int net) const {
        const auto& pins = nets[net].pins;
        if (pins.size() < 2 || cell(pin_instance[pins[0]]).role != PLAIN) return false;
        if (!cell(pin_instance[pins[0]]).inputs.empty()) return false;
        return std::all_of(pins.begin() + 1, pins.end(), [&](int pin) {
            int own = pin_instance[pin], position = pin - pin0[own];
            const auto& checks = cell(own).checks;
            return cell(own).role == REGISTER &&
                   std::none_of(checks.begin(), checks.end(),
                                [&](const Check& check) { return check.data == position; });
        });
    }

    // Mark the nets of the clock: from the clock's port through buffers and gates.
    void mark_clock() {
        for (auto& net : nets) net.clock = false;
        std::vector<int> todo;
        for (int i = 0; i < count(); i++) {
            if (kind[i] < 0 || cell(i).clock_pin < 0) continue;
            for (int net = pin_net[pin0[i] + cell(i).clock_pin]; net >= 0 && !nets[net].clock;) {
                nets[net].clock = true;
                int up = pin_instance[driver(net)], next = -1;
                if (is(up, BUFFER | CLOCK_BUFFER))
                    for (size_t p = 0; p < cell(up).pins.size(); p++)
                        if (!cell(up).pins[p].output) next = pin_net[pin0[up] + p];
                net = next;
            }
        }
    }

    // Put an instance into a row, at x; in odd rows it is upside down.
    void put(int instance, int at_x, int row, int row_height) {
        bool mirrored = orient[instance] >= 2;
        x[instance] = at_x;
        y[instance] = row * row_height;
        orient[instance] = row % 2 ? (mirrored ? 2 : 1) : (mirrored ? 3 : 0);
    }

    void touch(int net) { nets[net].stale = true; }

    void moved(int instance) {
        for (size_t p = 0; p < cell(instance).pins.size(); p++) {
            int net = pin_net[pin0[instance] + p];
            if (net >= 0) nets[net].moved = nets[net].stale = true;
        }
    }

    void resize(int instance, int to) {
        kind[instance] = to;
        for (size_t p = 0; p < cell(instance).pins.size(); p++)
            if (int net = pin_net[pin0[instance] + p]; net >= 0) touch(net);
    }

    // Find trees, loads and delays of the wires that changed.
    void update_wires() {
        for (size_t n = 0; n < nets.size(); n++)
            if (nets[n].stale && nets[n].used()) update_wire(nets[n]);
    }

    // Append an instance without connections.
    int add(int of_kind, int at_x, int at_y, int stands_for) {
        int instance = count();
        kind.push_back(of_kind);
        x.push_back(at_x);
        y.push_back(at_y);
        orient.push_back(0);
        parent.push_back(stands_for);
        second.push_back(-1);
        pin0.push_back(int(pin_net.size()));
        for (size_t p = 0; p < cell(instance).pins.size(); p++) {
            pin_net.push_back(-1);
            pin_instance.push_back(instance);
            elmore.push_back(0);
        }
        return instance;
    }

    void connect(int pin, int net) {
        if (int old = pin_net[pin]; old >= 0) {
            auto& pins = nets[old].pins;
            pins.erase(std::find(pins.begin(), pins.end(), pin));
            nets[old].moved = nets[old].stale = true;
        }
        pin_net[pin] = net;
        if (net < 0) return;
        auto& pins = nets[net].pins;
        if (type(pin).output) pins.insert(pins.begin(), pin);
        else pins.push_back(pin);
        nets[net].moved = nets[net].stale = true;
    }

    // Insert a buffer behind a net: it drives the given sinks, which the net drove. Return it.
    int insert_buffer(int net, int of_kind, int at_x, int at_y, const std::vector<int>& sinks) {
        const Kind& k = library.kinds[of_kind];
        int stands_for = original(pin_instance[driver(net)]);
        int buffer = add(of_kind, at_x - k.width / 2, at_y - k.height / 2, stands_for);
        int out = new_net();
        nets[out].clock = nets[net].clock;
        connect(pin0[buffer] + pin_of(of_kind, true), out);
        for (int pin : sinks) connect(pin, out);
        connect(pin0[buffer] + pin_of(of_kind, false), net);
        return buffer;
    }

    // Position of the only output, or the first input, of a kind.
    int pin_of(int of_kind, bool output) const {
        const auto& pins = library.kinds[of_kind].pins;
        for (size_t p = 0; p < pins.size(); p++) if (pins[p].output == output) return int(p);
        return -1;
    }

    // Net of an instance's only output.
    int output_net(int instance) const {
        return pin_net[pin0[instance] + pin_of(kind[instance], true)];
    }

    // Append a net without pins.
    int new_net() {
        nets.emplace_back();
        return int(nets.size()) - 1;
    }

    // The given instance that an instance stands for: itself, or the parent of an inserted one.
    int original(int instance) const { return instance < given ? instance : parent[instance]; }

    // Remove an instance and all its connections.
    void remove(int instance) {
        for (size_t p = 0; p < cell(instance).pins.size(); p++) connect(pin0[instance] + int(p), -1);
        kind[instance] = -1;
    }

    // Remove a buffer: what it drove, its driver drives.
    void remove_buffer(int buffer) {
        int from = pin_net[pin0[buffer] + pin_of(kind[buffer], false)], to = output_net(buffer);
        remove(buffer);
        if (to >= 0) for (int pin : std::vector<int>(nets[to].pins)) connect(pin, from);
    }

  private:
    SteinerBuilder builder_{TREE_ALPHA};
    std::vector<int32_t> px_, py_;
    std::vector<double> pin_ff_, node_ff_, node_ns_;

    void update_wire(Net& net) {
        int n = int(net.pins.size());
        if (net.moved || int(net.tree.size()) < n) {
            px_.resize(n);
            py_.resize(n);
            for (int i = 0; i < n; i++) std::tie(px_[i], py_[i]) = place(net.pins[i]);
            builder_.build(n, px_.data(), py_.data(), net.tree);
            net.moved = false;
        }
        NetWires wires(wiring, net.clock, n, net.tree);
        net.wire = float(wires.capacitance_ff());
        pin_ff_.assign(n, 0);
        net.load[RISE] = net.load[FALL] = net.early[RISE] = net.early[FALL] = net.wire;
        for (int i = 1; i < n; i++) {
            float rise = capacitance(net.pins[i], RISE), fall = capacitance(net.pins[i], FALL);
            net.load[RISE] += rise, net.load[FALL] += fall;
            for (int e : {RISE, FALL}) net.early[e] += early_capacitance(net.pins[i], e);
            pin_ff_[i] = std::max(rise, fall);
        }
        wires.elmore_ns(pin_ff_.data(), node_ff_, node_ns_);
        for (int i = 1; i < n; i++) elmore[net.pins[i]] = float(node_ns_[i]);
        net.stale = false;
    }
};

}  // namespace physical
