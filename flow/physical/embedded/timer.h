// Static timing of a placed netlist: arrivals, slews, required times of all pins, both edges.
//
// Delays come from the library's tables, by slew and load; a wire adds its Elmore delay and widens
// slews. All paths run between registers and ports on the rising edge of one clock. Until there is a
// clock tree the clock is ideal: it reaches registers at time 0, and clock gates earlier.

#pragma once

#include <limits>

#include "order.h"

namespace physical {

constexpr float NEVER = std::numeric_limits<float>::infinity();
// Delay that a slower edge costs in the next gate, per unit of slew; of NanGate45's inverters.
constexpr float DELAY_PER_SLEW = 0.2f;

struct ClockModel {
    bool ideal;
    float gate_lead;     // ideal clock: how much earlier it reaches clock gates than registers
    float slew;          // of the ideal clock
    float port_latency;  // of the clock of what lies outside

    explicit ClockModel(const ClockArrays& a)
        : ideal(a.ideal != 0), gate_lead(float(a.gate_lead_ns)), slew(float(a.slew_ns)),
          port_latency(float(a.port_latency_ns)) {}
};

class Timer {
  public:
    Netlist& netlist;
    ClockModel clock;
    float period = 0;
    // By 2 * pin + edge, in ns.
    std::vector<float> arrival, slew, required, earliest;
    float worst = 0;         // smallest slack, ns
    double total = 0;        // sum of the negative slacks of endpoints, ns
    int failing = 0;         // number of endpoints with negative slack

    Timer(Netlist& n, const ClockModel& c) : netlist(n), clock(c) {}

    float slack(int pin, int edge) const { return required[2 * pin + edge] - arrival[2 * pin + edge]; }
    float slack(int pin) const { return std::min(slack(pin, RISE), slack(pin, FALL)); }

    // Slack of an instance: the smallest of its outputs.
    float slack_of(int instance) const {
        float least = NEVER;
        const auto& pins = netlist.cell(instance).pins;
        for (size_t p = 0; p < pins.size(); p++)
            if (pins[p].output) least = std::min(least, slack(netlist.pin0[instance] + int(p)));
        return least;
    }

    // Whether paths are slower than with the given worst and total slack, beyond rounding.
    bool is_worse(float than_worst, double than_total) const {
        return worst < than_worst - 1e-4f || total < than_total - 1e-3;
    }

    void run(float for_period) {
        period = for_period;
        netlist.update_wires();
        if (ordered_ != netlist.count() || reorder) {
            order_ = in_order(netlist);
            ordered_ = netlist.count();
            reorder = false;
        }
        size_t size = 2 * netlist.pin_net.size();
        arrival.assign(size, -NEVER);
        slew.assign(size, 0);
        required.assign(size, NEVER);
        for (int instance : order_) forward(instance);
        find_required();
    }

    bool reorder = false;  // connections have changed

    // Earliest arrivals, and the smallest slack of the hold checks; run() must have run. What lies
    // behind an output port has no hold time, but takes data at its clock's edge. With a derate, data
    // and the clock that launches them are faster by this fraction, the capturing clock is slower.
    float hold(float derate, std::vector<std::pair<float, int>>* violations = nullptr,
               float margin = 0) {
        // The ports' latency is given, and has no derate.
        port_lead_ = clock.port_latency * derate / (1 - derate);
        earliest.assign(arrival.size(), NEVER);
        for (int instance : order_) forward_early(instance);
        float least = NEVER;
        for (int i = 0; i < netlist.count(); i++) {
            if (netlist.kind[i] < 0) continue;
            if (netlist.is(i, OUTPUT)) {
                int data = netlist.pin0[i];
                float first = std::min(earliest[2 * data], earliest[2 * data + 1]);
                float slack = first * (1 - derate) - clock.port_latency;
                least = std::min(least, slack);
                if (violations && slack < margin) violations->emplace_back(slack, data);
            }
            for (const Check& check : netlist.cell(i).checks) {
                if (!check.hold) continue;
                int data = netlist.pin0[i] + check.data, at = netlist.pin0[i] + check.clock;
                float slack = NEVER;
                for (int edge : {RISE, FALL}) {
                    if (check.tables[edge] < 0) continue;
                    float need = latency(i, at) * (1 + derate) +
                                 look(check.tables[edge], slew[2 * data + edge], clock_slew(at));
                    slack = std::min(slack, earliest[2 * data + edge] * (1 - derate) - need);
                }
                least = std::min(least, slack);
                if (violations && slack < margin) violations->emplace_back(slack, data);
            }
        }
        return least;
    }

    // Arrival of the clock at an instance's clock pin.
    float latency(int instance, int pin) const {
        if (!clock.ideal) return arrival[2 * pin + RISE];
        return netlist.is(instance, GATE) ? -clock.gate_lead : 0;
    }

    // Earliest arrival of the clock, at a pin that launches data.
    float early_latency(int instance, int pin) const {
        bool own = netlist.library.ranged && !clock.ideal;
        return own ? earliest[2 * pin + RISE] : latency(instance, pin);
    }

    // Mean arrival of the clock at all registers; run() must have run.
    float mean_latency() const {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < netlist.count(); i++) {
            if (!netlist.is(i, REGISTER)) continue;
            sum += latency(i, netlist.pin0[i] + netlist.cell(i).clock_pin);
            count++;
        }
        return count ? float(sum / count) : 0;
    }

    // Slew of the clock at a clock pin, for registers and their checks.
    float clock_slew(int pin) const { return clock.ideal ? clock.slew : slew[2 * pin + RISE]; }

    float look(int table, float a, float b) const { return netlist.library.look(table, a, b); }

    // Arrival and slew that an output has, by edge, with other input values, kind or load.
    struct Waveform { float arrival[2], slew[2]; };

    Waveform output(int instance, int of_kind, int position, const float* load,
                    const float* shift = nullptr, const float* slews = nullptr) const {
        Waveform w{{-NEVER, -NEVER}, {0, 0}};
        const Kind& k = netlist.library.kinds[of_kind];
        int base = netlist.pin0[instance];
        if (k.role & INPUT) return input(load);
        for (const Arc& arc : k.arcs) {
            if (arc.target != position) continue;
            int from = base + arc.source;
            for (int in : {RISE, FALL}) {
                float at = arrival[2 * from + in];
                if (clock.ideal && arc.launch) at = in == RISE ? latency(instance, from) : -NEVER;
                if (at == -NEVER) continue;
                float s = clock.ideal && arc.launch ? clock.slew : slew[2 * from + in];
                if (shift) at += shift[2 * arc.source + in], s += slews[2 * arc.source + in];
                for (int out : {RISE, FALL}) {
                    if (!arc.causes(in, out)) continue;
                    w.arrival[out] = std::max(w.arrival[out], at + look(arc.late[out], s, load[out]));
                    w.slew[out] = std::max(w.slew[out], look(arc.late[2 + out], s, load[out]));
                }
            }
        }
        return w;
    }

    const std::vector<int>& order() const { return order_; }

  private:
    std::vector<int> order_;
    int ordered_ = -1;
    float port_lead_ = 0;

    // An input is driven by the library's driving cell, whose delay without load is not counted.
    Waveform input(const float* load) const {
        Waveform w{{-NEVER, -NEVER}, {0, 0}};
        for (const Arc& arc : netlist.library.kinds[netlist.library.driving_kind].arcs) {
            for (int in : {RISE, FALL}) {
                for (int out : {RISE, FALL}) {
                    if (!arc.causes(in, out)) continue;
                    float d = look(arc.late[out], 0, load[out]) - look(arc.late[out], 0, 0);
                    w.arrival[out] = std::max(w.arrival[out], clock.port_latency + d);
                    w.slew[out] = std::max(w.slew[out], look(arc.late[2 + out], 0, load[out]));
                }
            }
        }
        return w;
    }

    void forward(int i) {
        const Kind& k = netlist.cell(i);
        for (size_t p = 0; p < k.pins.size(); p++) {
            int pin = netlist.pin0[i] + int(p), net = netlist.pin_net[pin];
            if (!k.pins[p].output || net < 0) continue;
            const Net& wires = netlist.nets[net];
            Waveform w = output(i, netlist.kind[i], int(p), wires.load);
            if (wires.clock && (clock.ideal || (k.role & INPUT))) {
                float s = clock.ideal ? clock.slew : 0;  // the clock's port has no driving cell
                w.arrival[RISE] = w.arrival[FALL] = 0;
                w.slew[RISE] = w.slew[FALL] = s;
            }
            for (int edge : {RISE, FALL}) {
                arrival[2 * pin + edge] = w.arrival[edge];
                slew[2 * pin + edge] = w.slew[edge];
                for (size_t s = 1; s < wires.pins.size(); s++) {
                    int sink = wires.pins[s];
                    float wire = wires.clock && clock.ideal ? 0 : netlist.elmore[sink];
                    float rc = netlist.library.slew_of_rc * wire;
                    arrival[2 * sink + edge] = w.arrival[edge] + wire;
                    slew[2 * sink + edge] = std::sqrt(w.slew[edge] * w.slew[edge] + rc * rc);
                }
            }
        }
    }

    void forward_early(int i) {
        const Kind& k = netlist.cell(i);
        for (size_t p = 0; p < k.pins.size(); p++) {
            int pin = netlist.pin0[i] + int(p), net = netlist.pin_net[pin];
            if (!k.pins[p].output || net < 0) continue;
            const Net& wires = netlist.nets[net];
            float early[2] = {NEVER, NEVER};
            if ((wires.clock && !netlist.library.ranged) || (k.role & INPUT)) {
                float lead = wires.clock ? 0 : port_lead_;
                early[RISE] = arrival[2 * pin] + lead, early[FALL] = arrival[2 * pin + 1] + lead;
            } else {
                for (const Arc& arc : k.arcs) {
                    if (arc.target != int(p)) continue;
                    int from = netlist.pin0[i] + arc.source;
                    for (int in : {RISE, FALL}) {
                        float at = arc.launch ? early_latency(i, from) : earliest[2 * from + in];
                        float s = clock.ideal && arc.launch ? clock.slew : slew[2 * from + in];
                        for (int out : {RISE, FALL})
                            if (arc.causes(in, out))
                                early[out] = std::min(
                                    early[out], at + look(arc.early[out], s, wires.early[out]));
                    }
                }
            }
            for (int edge : {RISE, FALL}) {
                earliest[2 * pin + edge] = early[edge];
                for (size_t s = 1; s < wires.pins.size(); s++)
                    earliest[2 * wires.pins[s] + edge] = early[edge] + netlist.elmore[wires.pins[s]];
            }
        }
    }

    void find_required() {
        worst = NEVER, total = 0, failing = 0;
        for (int i = 0; i < netlist.count(); i++) {
            if (netlist.kind[i] < 0) continue;
            if (netlist.is(i, OUTPUT)) {
                end(netlist.pin0[i], period + clock.port_latency, period + clock.port_latency);
                continue;
            }
            for (const Check& check : netlist.cell(i).checks) {
                if (check.hold) continue;
                int data = netlist.pin0[i] + check.data, at = netlist.pin0[i] + check.clock;
                float need[2];
                for (int edge : {RISE, FALL})
                    need[edge] = check.tables[edge] < 0 ? NEVER
                        : period + latency(i, at) -
                          look(check.tables[edge], slew[2 * data + edge], clock_slew(at));
                end(data, need[RISE], need[FALL]);
            }
        }
        for (auto i = order_.rbegin(); i != order_.rend(); ++i) backward(*i);
    }

    void end(int pin, float rise, float fall) {
        required[2 * pin] = std::min(required[2 * pin], rise);
        required[2 * pin + 1] = std::min(required[2 * pin + 1], fall);
        float slack = this->slack(pin);
        worst = std::min(worst, slack);
        if (slack < 0) total += slack, failing++;
    }

    void backward(int i) {
        const Kind& k = netlist.cell(i);
        for (size_t p = 0; p < k.pins.size(); p++) {
            int pin = netlist.pin0[i] + int(p), net = netlist.pin_net[pin];
            if (!k.pins[p].output || net < 0) continue;
            const Net& wires = netlist.nets[net];
            for (size_t s = 1; s < wires.pins.size(); s++) {
                int sink = wires.pins[s];
                for (int edge : {RISE, FALL})
                    required[2 * pin + edge] = std::min(
                        required[2 * pin + edge], required[2 * sink + edge] - netlist.elmore[sink]);
            }
        }
        for (const Arc& arc : k.arcs) {
            if (arc.launch) continue;
            int from = netlist.pin0[i] + arc.source, to = netlist.pin0[i] + arc.target;
            int net = netlist.pin_net[to];
            if (net < 0) continue;
            const float* load = netlist.nets[net].load;
            for (int in : {RISE, FALL}) {
                for (int out : {RISE, FALL}) {
                    if (!arc.causes(in, out)) continue;
                    float delay = look(arc.late[out], slew[2 * from + in], load[out]);
                    required[2 * from + in] =
                        std::min(required[2 * from + in], required[2 * to + out] - delay);
                }
            }
        }
    }
};

}  // namespace physical
