// Replaces gates by the library's adder cells, where there is slack and area falls.
//
// An adder cell is any cell with two outputs that are functions of the same two or three inputs. Two
// signals that are these functions of the same signals are its sum and carry. The signals may be
// inverted, as far as inverters do not take the area again. All gates that nothing reads then go.

#pragma once

#include "adder_plan.h"

namespace physical {

class Adders {
  public:
    int inserted = 0;

    // max_slew: largest slew at the output of an adder cell, ns.
    Adders(Timer& timer, float max_slew)
        : timer_(timer), netlist_(timer.netlist), max_slew_(max_slew) {}

    // Replace gates as long as the slacks stay above `above` and no path gets too slow.
    void run(float period, float above) {
        AdderLibrary library(netlist_.library);
        if (library.forms().empty() || library.inverter() < 0) return;
        library_ = &library;
        timer_.run(period);
        float worst = std::min(timer_.worst, 0.0f);
        // Slow paths get other Steiner trees by chance, even where changes are undone.
        double total = timer_.total * (1 + BY_CHANCE);
        for (int pass = 0; pass < PASSES; pass++) {
            std::vector<Change> changes = replace(above);
            if (changes.empty()) break;
            size_t made = changes.size();
            timer_.run(period);
            // Those with the least slack are undone first: they made slow paths slower.
            float least = above / 2;
            for (int tries = 0; tries < TRIES && timer_.is_worse(worst, total); tries++) {
                if (tries + 1 == TRIES) least = NEVER;
                std::vector<Change> kept;
                for (auto& change : changes) {
                    if (least_slack(change.adder) < least) undo(change);
                    else kept.push_back(std::move(change));
                }
                changes = std::move(kept);
                timer_.run(period);
                least *= 3;
            }
            inserted += int(changes.size());
            if (changes.size() < std::max<size_t>(2, made / 8)) break;
        }
    }

  private:
    static constexpr int PASSES = 16, TRIES = 5;
    static constexpr double BY_CHANCE = 0.01;  // part of the sum of negative slacks

    struct Touched { int instance, kind; std::vector<int> nets; };
    struct Change {
        int adder;
        std::pair<int, int> gates;
        std::vector<int> added, opened;
        std::vector<Touched> touched;
    };

    Timer& timer_;
    Netlist& netlist_;
    const float max_slew_;
    const AdderLibrary* library_ = nullptr;
    std::set<std::pair<int, int>> refused_;  // gates whose replacement was too slow
    std::vector<char> locked_;

    std::vector<Change> replace(float above) {
        AdderPlans plans(timer_, *library_, max_slew_);
        locked_.assign(netlist_.count(), 0);
        std::vector<Change> changes;
        for (const Plan& plan : plans.find(above, refused_))
            if (is_free(plan) && plans.is_valid(plan)) {
                lock(plan);
                changes.push_back(apply(plan));
            }
        timer_.reorder = true;
        return changes;
    }

    // Least slack of what an instance drives, and of the nets that it loads.
    float least_slack(int instance) const {
        float least = timer_.slack_of(instance);
        for (int input : netlist_.cell(instance).inputs) {
            int net = netlist_.pin_net[netlist_.pin0[instance] + input];
            if (net >= 0) least = std::min(least, timer_.slack(netlist_.driver(net)));
        }
        return least;
    }

    // Instances that a plan changes, and those that read its outputs.
    std::vector<int> touched(const Plan& plan) const {
        std::vector<int> found(plan.gone);
        for (int gate : plan.changed) if (gate >= 0) found.push_back(gate);
        for (int o : {0, 1}) {
            if (plan.swapped[o] >= 0) found.push_back(plan.swapped[o]);
            for (int pin : netlist_.nets[plan.net[o]].pins)
                found.push_back(netlist_.pin_instance[pin]);
        }
        return found;
    }

    // Whether no plan of this pass has changed what a plan touches or reads.
    bool is_free(const Plan& plan) const {
        std::vector<int> found = touched(plan);
        for (int net : plan.source)
            if (net >= 0 && netlist_.nets[net].used())
                found.push_back(netlist_.pin_instance[netlist_.driver(net)]);
        return std::all_of(found.begin(), found.end(), [&](int i) {
            return i < int(locked_.size()) && !locked_[i];
        });
    }

    void lock(const Plan& plan) {
        for (int i : touched(plan))
            if (!netlist_.is(i, INPUT | OUTPUT | REGISTER)) locked_[i] = 1;
    }

    Change apply(const Plan& plan) {
        Change change;
        for (int gate : plan.gone) take(gate, change);
        int adder = netlist_.add(plan.form.kind, plan.x, plan.y, plan.gate[0]);
        change.adder = adder;
        change.gates = {plan.gate[0], plan.gate[1]};
        change.added.push_back(adder);
        // Each output stands for a gate, in the order of the pins.
        bool in_order = plan.form.out[0] < plan.form.out[1];
        netlist_.parent[adder] = netlist_.original(plan.gate[!in_order]);
        netlist_.second[adder] = netlist_.original(plan.gate[in_order]);
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            int pin = netlist_.pin0[adder] + plan.form.pin[leaf], net = plan.source[leaf];
            if (plan.opened[leaf] >= 0) {
                net = netlist_.new_net();
                netlist_.connect(plan.opened[leaf], net);
                change.opened.push_back(plan.opened[leaf]);
            } else if (plan.changed[leaf] >= 0) {
                net = complemented(plan.changed[leaf], change);
            }
            netlist_.connect(pin, plan.needs_inverter[leaf] ? inverted(net, -1, plan, change) : net);
        }
        for (int o : {0, 1}) {
            int pin = netlist_.pin0[adder] + plan.form.out[o], net = plan.net[o];
            if (!plan.complement[o]) {
                netlist_.connect(pin, net);
            } else if (plan.swapped[o] < 0) {
                int between = netlist_.new_net();
                netlist_.connect(pin, between);
                inverted(between, net, plan, change);
            } else {
                int inverter = plan.swapped[o];
                int drives = netlist_.pin0[inverter] + netlist_.cell(inverter).output;
                int behind = netlist_.pin_net[drives];
                take(inverter, change);
                netlist_.connect(pin, behind);
                if (!plan.only[o]) {
                    const Kind& kind = netlist_.library.kinds[change.touched.back().kind];
                    netlist_.kind[inverter] = change.touched.back().kind;
                    netlist_.connect(netlist_.pin0[inverter] + kind.output, net);
                    netlist_.connect(netlist_.pin0[inverter] + kind.inputs[0], behind);
                }
            }
        }
        return change;
    }

    // Insert an inverter behind a net; it drives the given net, or a new one. Return this net.
    int inverted(int from, int to, const Plan& plan, Change& change) {
        int stands_for = netlist_.original(plan.gate[0]);
        int inverter = netlist_.add(library_->inverter(), plan.x, plan.y, stands_for);
        const Kind& kind = netlist_.cell(inverter);
        if (to < 0) to = netlist_.new_net();
        netlist_.connect(netlist_.pin0[inverter] + kind.output, to);
        netlist_.connect(netlist_.pin0[inverter] + kind.inputs[0], from);
        change.added.push_back(inverter);
        return to;
    }

    // Put a gate with the complementary output in place of a gate. Return its net.
    int complemented(int gate, Change& change) {
        const Complement& other = library_->complement(netlist_.kind[gate]);
        std::vector<int> inputs(netlist_.cell(gate).inputs);
        take(gate, change);
        int added = netlist_.add(other.kind, netlist_.x[gate], netlist_.y[gate], gate);
        netlist_.orient[added] = netlist_.orient[gate];
        netlist_.second[added] = gate;
        std::vector<int> nets(change.touched.back().nets);
        for (size_t i = 0; i < inputs.size(); i++)
            netlist_.connect(netlist_.pin0[added] + other.pin[i], nets[inputs[i]]);
        int net = netlist_.new_net();
        netlist_.connect(netlist_.pin0[added] + netlist_.cell(added).output, net);
        change.added.push_back(added);
        return net;
    }

    // Remove an instance, and remember its kind and connections.
    void take(int instance, Change& change) {
        Touched touched{instance, netlist_.kind[instance], {}};
        for (size_t p = 0; p < netlist_.cell(instance).pins.size(); p++)
            touched.nets.push_back(netlist_.pin_net[netlist_.pin0[instance] + p]);
        netlist_.remove(instance);
        change.touched.push_back(touched);
    }

    void undo(const Change& change) {
        refused_.insert(change.gates);
        auto remove = [&](int instance) {
            if (netlist_.kind[instance] >= 0) netlist_.remove(instance);
        };
        for (int instance : change.added) remove(instance);
        for (int pin : change.opened)
            if (netlist_.nets[netlist_.pin_net[pin]].pins.size() == 1) netlist_.connect(pin, -1);
        for (const Touched& touched : change.touched) remove(touched.instance);
        for (const Touched& touched : change.touched) {
            netlist_.kind[touched.instance] = touched.kind;
            for (size_t p = 0; p < touched.nets.size(); p++)
                netlist_.connect(netlist_.pin0[touched.instance] + int(p), touched.nets[p]);
        }
        timer_.reorder = true;
    }
};

}  // namespace physical
