// Timing of plans to replace gates by an adder cell.

#pragma once

#include <array>
#include <cstdlib>

#include "adder_library.h"

namespace physical {

// A way to replace the gates of a match.
struct Plan {
    Form form;
    std::array<int, 2> net, gate;
    std::array<int, MOST_LEAVES> source{-1, -1, -1};  // net for each leaf
    std::array<bool, MOST_LEAVES> needs_inverter{};
    std::array<int, MOST_LEAVES> opened{-1, -1, -1};  // a flip-flop's open output, for a leaf
    std::array<int, MOST_LEAVES> changed{-1, -1, -1}; // a gate that gets the complement's kind
    std::array<bool, 2> complement{};                 // whether an output has to be inverted
    std::array<int, 2> swapped{-1, -1};               // an inverter behind it, then before it
    std::array<bool, 2> only{};                       // whether nothing else reads the output
    std::vector<int> gone;
    int x = 0, y = 0, leaves = 0;
    double area = 0;                                  // that is saved
    float slack = NEVER;

    bool takes(int instance) const { return std::count(gone.begin(), gone.end(), instance); }
};

// Distance of a pin from the place of the adder cell.
inline int distance(const Netlist& netlist, int pin, const Plan& plan) {
    auto [x, y] = netlist.place(pin);
    return std::abs(x - plan.x) + std::abs(y - plan.y);
}

class AdderTiming {
  public:
    // max_slew: largest slew at the output of an adder cell, ns.
    AdderTiming(const Timer& timer, const AdderLibrary& adders, float max_slew)
        : timer_(timer), netlist_(timer.netlist), adders_(adders), max_slew_(max_slew),
          inverter_(adders.inverter()) {}

    // Find the slack that a plan leaves; return whether it is enough, within all limits.
    bool is_fast(Plan& plan, float above) const {
        const Kind& kind = netlist_.library.kinds[plan.form.kind];
        const Kind& small = netlist_.library.kinds[inverter_];
        const auto inputs = inputs_of(plan, kind);
        for (int o : {0, 1}) {
            int old = netlist_.driver(plan.net[o]), out = plan.form.out[o];
            float before = timer_.slack(old), slack = NEVER;
            const float* load = netlist_.nets[plan.net[o]].load;
            float own[2] = {load[0], load[1]};
            Wave wave;
            if (!plan.complement[o]) {
                wave = through(plan.form.kind, out, inputs, own);
                slack = slack_of(old, wave);
            } else if (plan.swapped[o] < 0) {
                for (int e : {RISE, FALL})
                    own[e] = small.pins[small.inputs[0]].capacitance[e] + SHORT_WIRE;
                wave = through(plan.form.kind, out, inputs, own);
                Wave behind = invert(inverter_, wave, load);
                if (!is_allowed(small, small.output, load, behind)) return false;
                slack = slack_of(old, behind);
            } else {
                const Kind& swapped = netlist_.cell(plan.swapped[o]);
                int to = netlist_.pin0[plan.swapped[o]] + swapped.output;
                float rest[2];
                for (int e : {RISE, FALL}) {
                    float pin = swapped.pins[swapped.inputs[0]].capacitance[e];
                    own[e] = netlist_.nets[netlist_.pin_net[to]].load[e] + pin;
                    rest[e] = load[e] - pin;
                }
                wave = through(plan.form.kind, out, inputs, own);
                before = std::min(before, timer_.slack(to));
                slack = slack_of(to, wave);
                if (!plan.only[o]) {
                    Wave behind = invert(netlist_.kind[plan.swapped[o]], wave, rest);
                    if (!is_allowed(swapped, swapped.output, rest, behind)) return false;
                    slack = std::min(slack, slack_of(old, behind));
                }
            }
            if (!is_allowed(kind, out, own, wave)) return false;
            if (slack < above || before - slack > SHARE * (before - above)) return false;
            plan.slack = std::min(plan.slack, slack);
        }
        return true;
    }

  private:
    static constexpr float SHARE = 0.5f;       // of a signal's slack, at most, for one adder
    static constexpr float SHORT_WIRE = 1.0f;  // capacitance of the wire to an inverter, fF

    const Timer& timer_;
    const Netlist& netlist_;
    const AdderLibrary& adders_;
    const float max_slew_;
    const int inverter_;

    struct Wave { float at[2], slew[2]; };

    // Waves at the inputs of an adder cell, by position of the pin.
    std::vector<std::pair<int, Wave>> inputs_of(const Plan& plan, const Kind& kind) const {
        std::vector<std::pair<int, Wave>> inputs;
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            const KindPin& sink = kind.pins[plan.form.pin[leaf]];
            Wave wave = plan.opened[leaf] >= 0    ? wave_of_opened(plan.opened[leaf], sink, plan)
                        : plan.changed[leaf] >= 0 ? wave_of_changed(plan, leaf, sink)
                                                  : wave_at(plan.source[leaf], plan);
            if (plan.needs_inverter[leaf]) {
                float load[2] = {sink.capacitance[0] + SHORT_WIRE, sink.capacitance[1] + SHORT_WIRE};
                wave = invert(inverter_, wave, load);
            }
            inputs.push_back({plan.form.pin[leaf], wave});
        }
        return inputs;
    }

    // Wave at an output of a kind whose inputs have the given waves.
    Wave through(int k, int out, const std::vector<std::pair<int, Wave>>& inputs,
                 const float* load) const {
        Wave w{{-NEVER, -NEVER}, {0, 0}};
        for (const Arc& arc : netlist_.library.kinds[k].arcs) {
            if (arc.target != out) continue;
            for (const auto& [pin, wave] : inputs) {
                if (pin != arc.source) continue;
                for (int in : {RISE, FALL}) {
                    for (int e : {RISE, FALL}) {
                        if (!arc.causes(in, e)) continue;
                        float slew = wave.slew[in], delay = timer_.look(arc.late[e], slew, load[e]);
                        w.at[e] = std::max(w.at[e], wave.at[in] + delay);
                        w.slew[e] = std::max(w.slew[e], timer_.look(arc.late[2 + e], slew, load[e]));
                    }
                }
            }
        }
        return w;
    }

    Wave invert(int k, const Wave& wave, const float* load) const {
        const Kind& kind = netlist_.library.kinds[k];
        return through(k, kind.output, {{kind.inputs[0], wave}}, load);
    }

    Wave wave_of(int pin) const {
        const float *at = &timer_.arrival[2 * pin], *slew = &timer_.slew[2 * pin];
        return {{at[0], at[1]}, {slew[0], slew[1]}};
    }

    // Wave of a net at one of the gates that go, else at its driver.
    Wave wave_at(int net, const Plan& plan) const {
        for (int pin : netlist_.nets[net].pins)
            if (plan.takes(netlist_.pin_instance[pin]) && !netlist_.type(pin).output)
                return wave_of(pin);
        return wave_of(netlist_.driver(net));
    }

    // Wave at a flip-flop's open output, if it drove the adder cell.
    Wave wave_of_opened(int pin, const KindPin& sink, const Plan& plan) const {
        int instance = netlist_.pin_instance[pin];
        const WireModel& wires = netlist_.wiring;
        double wire = wires.signal_ff_per_um * distance(netlist_, pin, plan) / wires.dbu_per_um;
        float load[2] = {sink.capacitance[0] + float(wire), sink.capacitance[1] + float(wire)};
        int position = pin - netlist_.pin0[instance];
        auto w = timer_.output(instance, netlist_.kind[instance], position, load);
        return {{w.arrival[0], w.arrival[1]}, {w.slew[0], w.slew[1]}};
    }

    // Wave behind a gate that gets the complement's kind.
    Wave wave_of_changed(const Plan& plan, int leaf, const KindPin& sink) const {
        int gate = plan.changed[leaf];
        const Complement& other = adders_.complement(netlist_.kind[gate]);
        const auto& inputs = netlist_.cell(gate).inputs;
        std::vector<std::pair<int, Wave>> waves;
        for (size_t i = 0; i < inputs.size(); i++)
            waves.push_back({other.pin[i], wave_of(netlist_.pin0[gate] + inputs[i])});
        float wire = netlist_.nets[plan.source[leaf]].wire;
        float load[2] = {sink.capacitance[0] + wire, sink.capacitance[1] + wire};
        return through(other.kind, netlist_.library.kinds[other.kind].output, waves, load);
    }

    float slack_of(int pin, const Wave& wave) const {
        float slack = NEVER;
        for (int e : {RISE, FALL}) {
            float slower = DELAY_PER_SLEW * (wave.slew[e] - timer_.slew[2 * pin + e]);
            float left = timer_.required[2 * pin + e] - wave.at[e];
            slack = std::min(slack, left - std::max(slower, 0.0f));
        }
        return slack;
    }

    bool is_allowed(const Kind& kind, int out, const float* load, const Wave& wave) const {
        return std::max(load[0], load[1]) <= kind.pins[out].limit &&
               std::max(wave.slew[0], wave.slew[1]) <= max_slew_;
    }
};

}  // namespace physical
