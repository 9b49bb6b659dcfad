// Replaces gates by the library's adder cells, where there is slack and area falls.
//
// An adder cell is any cell with two outputs that are functions of the same two or three inputs. Two
// signals that are these functions of the same signals are its sum and carry. The signals may be
// inverted, as far as inverters do not take the area again. All gates that nothing reads then go.

#pragma once

#include <cstdlib>
#include <map>
#include <set>

#include "cuts.h"

namespace physical {

class Adders {
  public:
    int inserted = 0;

    // max_slew: largest slew at the output of an adder cell, ns.
    Adders(Timer& timer, float max_slew)
        : timer_(timer), netlist_(timer.netlist), max_slew_(max_slew) {
        const auto& kinds = netlist_.library.kinds;
        for (int k = 0; k < int(kinds.size()); k++) {
            const Kind& kind = kinds[k];
            if (!kind.logic || kind.family < 0) continue;
            int n = int(kind.inputs.size());
            if (kind.outputs == 2 && (n == 2 || n == 3)) add_forms(k);
            bool inverts = kind.outputs == 1 && n == 1 && kind.pins[kind.output].table & 1;
            if (inverts && (inverter_ < 0 || kind.area < kinds[inverter_].area)) inverter_ = k;
        }
    }

    // Replace gates as long as the slacks stay above `above` and no path gets too slow.
    void run(float period, float above) {
        if (forms_.empty()) return;
        timer_.run(period);
        for (int pass = 0; pass < PASSES; pass++) {
            float worst = std::min(timer_.worst, 0.0f);
            double total = timer_.total;
            std::vector<Change> changes = replace(above);
            if (changes.empty()) break;
            size_t made = changes.size();
            timer_.run(period);
            for (int tries = 0; tries < TRIES && is_worse(worst, total); tries++) {
                std::vector<Change> kept;
                float least = tries + 1 < TRIES ? above / 2 : NEVER;
                for (auto& change : changes) {
                    if (timer_.slack_of(change.adder) < least) undo(change);
                    else kept.push_back(std::move(change));
                }
                changes = std::move(kept);
                timer_.run(period);
            }
            inserted += int(changes.size());
            if (changes.size() < std::max<size_t>(2, made / 8)) break;
        }
    }

  private:
    static constexpr int PASSES = 16, TRIES = 4;
    static constexpr float SHARE = 0.5f;       // of a signal's slack, at most, for one adder
    static constexpr int NEAR = 40000;         // distance of a signal that is taken as it is, 20 um
    static constexpr float SHORT_WIRE = 1.0f;  // capacitance of the wire to an inverter, fF
    static constexpr float LEAST_AREA = 1e-3f; // um2

    // A way to use a cell: which pins get the leaves, inverted or not; which outputs are inverted.
    struct Form {
        int kind;
        std::array<int, MOST_LEAVES> pin;
        int inverted;               // bit of each leaf
        std::array<int, 2> out;     // pins of the signals
        std::array<bool, 2> out_inverted;
    };

    // Two signals that are functions of the same leaves.
    struct Match {
        Cut cut;
        std::array<int, 2> net;
        std::array<bool, 2> inverted;
        const std::vector<Form>* forms;
    };

    // A way to replace the gates of a match.
    struct Plan {
        Form form;
        std::array<int, 2> net, gate;
        std::array<int, MOST_LEAVES> source{-1, -1, -1};  // net for each leaf
        std::array<bool, MOST_LEAVES> needs_inverter{};
        std::array<bool, 2> complement{};                 // whether an output has to be inverted
        std::array<int, 2> swapped{-1, -1};               // an inverter behind it that then is before it
        std::array<bool, 2> only{};                       // whether nothing else reads the output
        std::vector<int> gone;
        int x = 0, y = 0, leaves = 0;
        double area = 0;                                  // that is saved
        float slack = NEVER;
    };

    struct Touched { int instance, kind; std::vector<int> nets; };
    struct Change { int adder; std::vector<int> added; std::vector<Touched> touched; };
    struct Wave { float at[2], slew[2]; };

    Timer& timer_;
    Netlist& netlist_;
    const float max_slew_;
    int inverter_ = -1;
    // By number of leaves and the two functions, each 0 if all leaves are 0.
    std::map<std::tuple<int, int, int>, std::vector<Form>> forms_;
    std::set<std::pair<int, int>> refused_;  // gates whose replacement was too slow
    std::vector<char> locked_, marked_;

    void add_forms(int k) {
        const Kind& kind = netlist_.library.kinds[k];
        int n = int(kind.inputs.size());
        std::array<int, 2> outs{-1, -1};
        for (int p = 0; p < int(kind.pins.size()); p++)
            if (kind.pins[p].output) outs[outs[0] >= 0] = p;
        std::vector<int> order(kind.inputs);
        std::sort(order.begin(), order.end());
        do {
            for (int inverted = 0; inverted < 1 << n; inverted++) {
                for (int swap : {0, 1}) {
                    Form form{k, {-1, -1, -1}, inverted, {outs[swap], outs[1 - swap]}, {}};
                    std::copy(order.begin(), order.end(), form.pin.begin());
                    int tables[2];
                    for (int o : {0, 1}) {
                        tables[o] = table_of(kind, form, form.out[o], n);
                        form.out_inverted[o] = tables[o] & 1;
                        if (tables[o] & 1) tables[o] ^= (1 << (1 << n)) - 1;
                    }
                    if (tables[0] != tables[1])
                        forms_[{n, tables[0], tables[1]}].push_back(form);
                }
            }
        } while (std::next_permutation(order.begin(), order.end()));
    }

    static int table_of(const Kind& kind, const Form& form, int out, int n) {
        int table = 0;
        for (int value = 0; value < 1 << n; value++) {
            int row = 0;
            for (int leaf = 0; leaf < n; leaf++) {
                int input = int(std::find(kind.inputs.begin(), kind.inputs.end(), form.pin[leaf]) -
                                kind.inputs.begin());
                row |= ((value ^ form.inverted) >> leaf & 1) << input;
            }
            table |= int(kind.pins[out].table >> row & 1) << value;
        }
        return table;
    }

    // Pairs of signals that an adder cell can compute.
    std::vector<Match> matches(const Cuts& cuts) const {
        struct Entry { Cut cut; int net; bool inverted; };
        std::set<std::pair<int, int>> wanted;
        for (const auto& [key, forms] : forms_) wanted.insert({std::get<0>(key), std::get<1>(key)});
        std::vector<Entry> entries;
        for (int net = 0; net < int(netlist_.nets.size()); net++) {
            for (const Cut& cut : cuts.of(net)) {
                if (cut.count < 2) continue;
                Entry entry{cut, net, bool(cut.table & 1)};
                if (entry.inverted) entry.cut.table ^= uint8_t((1 << (1 << cut.count)) - 1);
                if (wanted.count({cut.count, entry.cut.table})) entries.push_back(entry);
            }
        }
        std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return a.cut.leaves < b.cut.leaves;
        });
        std::vector<Match> found;
        for (size_t first = 0, last; first < entries.size(); first = last) {
            for (last = first; last < entries.size() &&
                               entries[last].cut.leaves == entries[first].cut.leaves;) last++;
            for (size_t a = first; a < last; a++) {
                for (size_t b = first; b < last; b++) {
                    auto forms = forms_.find({entries[a].cut.count, entries[a].cut.table,
                                              entries[b].cut.table});
                    // Each pair once: the function with the smaller table first.
                    if (forms == forms_.end() || entries[a].cut.table > entries[b].cut.table) continue;
                    found.push_back({entries[a].cut, {entries[a].net, entries[b].net},
                                     {entries[a].inverted, entries[b].inverted}, &forms->second});
                }
            }
        }
        return found;
    }

    std::vector<Change> replace(float above) {
        Cuts cuts(timer_);
        std::map<std::pair<int, bool>, std::vector<int>> nets;  // by signal and complement
        for (int net = 0; net < int(netlist_.nets.size()); net++)
            if (netlist_.nets[net].used() && !netlist_.nets[net].clock)
                nets[{cuts.root(net), cuts.inverted(net)}].push_back(net);
        locked_.assign(netlist_.count(), 0);
        marked_.assign(netlist_.count(), 0);
        std::vector<Plan> plans;
        for (const Match& match : matches(cuts)) {
            Plan best;
            for (const Form& form : *match.forms) {
                Plan plan = plan_of(match, form, cuts, nets);
                if (plan.area < LEAST_AREA || plan.area < best.area - LEAST_AREA) continue;
                if (!is_fast(plan, above)) continue;
                if (plan.area > best.area + LEAST_AREA || plan.slack > best.slack) best = plan;
            }
            if (best.area > 0) plans.push_back(best);
        }
        std::stable_sort(plans.begin(), plans.end(),
                         [](const Plan& a, const Plan& b) { return a.area > b.area + LEAST_AREA; });
        std::vector<Change> changes;
        for (const Plan& plan : plans)
            if (is_free(plan)) changes.push_back(apply(plan));
        timer_.reorder = true;
        return changes;
    }

    bool removable(int instance) const {
        if (netlist_.kind[instance] < 0) return false;
        const Kind& kind = netlist_.cell(instance);
        return kind.logic && kind.outputs == 1 && !kind.inputs.empty();
    }

    int output_net(int instance) const {
        return netlist_.pin_net[netlist_.pin0[instance] + netlist_.cell(instance).output];
    }

    // Gates that nothing reads once an adder cell drives the signals, and reads `kept`.
    std::vector<int> gone(const std::array<int, 2>& gates, const std::vector<int>& kept) {
        std::vector<int> found(gates.begin(), gates.end());
        for (int gate : gates) marked_[gate] = 1;
        for (size_t at = 0; at < found.size(); at++) {
            for (int input : netlist_.cell(found[at]).inputs) {
                int net = netlist_.pin_net[netlist_.pin0[found[at]] + input];
                if (net < 0 || std::count(kept.begin(), kept.end(), net)) continue;
                const auto& pins = netlist_.nets[net].pins;
                int driver = netlist_.pin_instance[pins[0]];
                if (marked_[driver] || !removable(driver) || netlist_.nets[net].clock) continue;
                if (std::all_of(pins.begin() + 1, pins.end(),
                                [&](int pin) { return marked_[netlist_.pin_instance[pin]]; })) {
                    marked_[driver] = 1;
                    found.push_back(driver);
                }
            }
        }
        for (int gate : found) marked_[gate] = 0;
        return found;
    }

    Plan plan_of(const Match& match, const Form& form, const Cuts& cuts,
                 const std::map<std::pair<int, bool>, std::vector<int>>& nets) {
        Plan plan;
        plan.form = form, plan.net = match.net, plan.leaves = match.cut.count;
        for (int o : {0, 1}) {
            plan.gate[o] = netlist_.pin_instance[netlist_.driver(match.net[o])];
            plan.complement[o] = match.inverted[o] ^ form.out_inverted[o];
        }
        if (plan.gate[0] == plan.gate[1] || refused_.count({plan.gate[0], plan.gate[1]})) return plan;
        std::tie(plan.x, plan.y) = middle({plan.gate[0], plan.gate[1]});
        std::vector<int> kept;
        const auto& library = netlist_.library;
        double added = library.kinds[form.kind].area, inverter = library.kinds[inverter_].area;
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            bool inverted = form.inverted >> leaf & 1;
            int signal = match.cut.leaves[leaf];
            plan.source[leaf] = nearest(nets, signal, inverted, plan, NEAR);
            if (plan.source[leaf] < 0) {
                plan.needs_inverter[leaf] = true;
                added += inverter;
                plan.source[leaf] = nearest(nets, signal, !inverted, plan, 1 << 30);
            }
            if (plan.source[leaf] < 0) return plan;
            kept.push_back(plan.source[leaf]);
        }
        plan.gone = gone(plan.gate, kept);
        for (int o : {0, 1}) {
            if (!plan.complement[o]) continue;
            plan.swapped[o] = inverter_behind(plan, o);
            plan.only[o] = is_only_sink(plan, o);
            if (plan.swapped[o] < 0) added += inverter;
            else if (plan.only[o]) added -= netlist_.cell(plan.swapped[o]).area;
        }
        double freed = 0;
        for (int gate : plan.gone) freed += netlist_.cell(gate).area;
        plan.area = freed - added;
        return plan;
    }

    std::pair<int, int> middle(const std::array<int, 2>& gates) const {
        return {(netlist_.x[gates[0]] + netlist_.x[gates[1]]) / 2,
                (netlist_.y[gates[0]] + netlist_.y[gates[1]]) / 2};
    }

    // Net that has a signal, or its complement, and whose driver is nearest; -1: none is so near.
    int nearest(const std::map<std::pair<int, bool>, std::vector<int>>& nets, int signal,
                bool inverted, const Plan& plan, int within) const {
        auto found = nets.find({signal, inverted});
        int best = -1;
        if (found == nets.end()) return best;
        for (int net : found->second) {
            int least = within + 1;
            for (int pin : netlist_.nets[net].pins) {
                auto [x, y] = netlist_.place(pin);
                least = std::min(least, std::abs(x - plan.x) + std::abs(y - plan.y));
            }
            if (least <= within) best = net, within = least - 1;
        }
        return best;
    }

    // An inverter that reads an output's net, and stays.
    int inverter_behind(const Plan& plan, int o) const {
        const auto& pins = netlist_.nets[plan.net[o]].pins;
        for (size_t s = 1; s < pins.size(); s++) {
            int owner = netlist_.pin_instance[pins[s]];
            const Kind& kind = netlist_.cell(owner);
            if (!Cuts::is_repeater(kind) || !(kind.pins[kind.output].table & 1)) continue;
            if (output_net(owner) < 0 || netlist_.nets[output_net(owner)].clock) continue;
            if (std::count(plan.gone.begin(), plan.gone.end(), owner)) continue;
            return owner;
        }
        return -1;
    }

    // Whether the inverter is all that reads the output's net, the adder itself included.
    bool is_only_sink(const Plan& plan, int o) const {
        const auto& source = plan.source;
        if (std::count(source.begin(), source.end(), plan.net[o])) return false;
        for (size_t s = 1; s < netlist_.nets[plan.net[o]].pins.size(); s++) {
            int owner = netlist_.pin_instance[netlist_.nets[plan.net[o]].pins[s]];
            if (owner != plan.swapped[o] &&
                !std::count(plan.gone.begin(), plan.gone.end(), owner)) return false;
        }
        return true;
    }

    // Whether all that a plan touches is as it was when the plan was made.
    bool is_free(const Plan& plan) {
        std::vector<int> touched(plan.gone);
        for (int o : {0, 1}) {
            if (plan.swapped[o] >= 0) touched.push_back(plan.swapped[o]);
            for (int pin : netlist_.nets[plan.net[o]].pins)
                touched.push_back(netlist_.pin_instance[pin]);
        }
        std::vector<int> kept, read(touched);
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            int net = plan.source[leaf];
            if (!netlist_.nets[net].used()) return false;
            kept.push_back(net);
            read.push_back(netlist_.pin_instance[netlist_.driver(net)]);
        }
        for (int i : read)
            if (i >= int(locked_.size()) || locked_[i]) return false;
        // Other adders may read what this one was to remove.
        if (gone(plan.gate, kept) != plan.gone) return false;
        for (int o : {0, 1})
            if (plan.swapped[o] >= 0 && is_only_sink(plan, o) != plan.only[o]) return false;
        for (int i : touched)
            if (!netlist_.is(i, INPUT | OUTPUT | REGISTER)) locked_[i] = 1;
        return true;
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
                        w.at[e] = std::max(w.at[e], wave.at[in] + timer_.look(arc.late[e], wave.slew[in], load[e]));
                        w.slew[e] = std::max(w.slew[e], timer_.look(arc.late[2 + e], wave.slew[in], load[e]));
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
        const auto& t = timer_;
        return {{t.arrival[2 * pin], t.arrival[2 * pin + 1]}, {t.slew[2 * pin], t.slew[2 * pin + 1]}};
    }

    // Wave of a net at one of the gates that go, else at its driver.
    Wave wave_at(int net, const Plan& plan) const {
        for (int pin : netlist_.nets[net].pins)
            if (std::count(plan.gone.begin(), plan.gone.end(), netlist_.pin_instance[pin]) &&
                !netlist_.type(pin).output)
                return wave_of(pin);
        return wave_of(netlist_.driver(net));
    }

    float slack_of(int pin, const Wave& wave) const {
        float slack = NEVER;
        for (int e : {RISE, FALL}) {
            float slower = DELAY_PER_SLEW * (wave.slew[e] - timer_.slew[2 * pin + e]);
            slack = std::min(slack, timer_.required[2 * pin + e] - wave.at[e] - std::max(slower, 0.0f));
        }
        return slack;
    }

    // Find the slack that a plan leaves; return whether it is enough, within all limits.
    bool is_fast(Plan& plan, float above) const {
        const Kind& kind = netlist_.library.kinds[plan.form.kind];
        std::vector<std::pair<int, Wave>> inputs;
        const Kind& small = netlist_.library.kinds[inverter_];
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            Wave wave = wave_at(plan.source[leaf], plan);
            int pin = plan.form.pin[leaf];
            if (plan.needs_inverter[leaf]) {
                float load[2] = {kind.pins[pin].capacitance[0] + SHORT_WIRE,
                                 kind.pins[pin].capacitance[1] + SHORT_WIRE};
                wave = invert(inverter_, wave, load);
            }
            inputs.push_back({pin, wave});
        }
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
                for (int e : {RISE, FALL}) own[e] = small.pins[small.inputs[0]].capacitance[e] + SHORT_WIRE;
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

    bool is_allowed(const Kind& kind, int out, const float* load, const Wave& wave) const {
        return std::max(load[0], load[1]) <= kind.pins[out].limit &&
               std::max(wave.slew[0], wave.slew[1]) <= max_slew_;
    }

    Change apply(const Plan& plan) {
        Change change;
        for (int gate : plan.gone) take(gate, change);
        int adder = netlist_.add(plan.form.kind, plan.x, plan.y, plan.gate[0]);
        change.adder = adder;
        change.added.push_back(adder);
        // Each output stands for a gate, in the order of the pins.
        bool in_order = plan.form.out[0] < plan.form.out[1];
        netlist_.parent[adder] = plan.gate[!in_order];
        netlist_.second[adder] = plan.gate[in_order];
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            int pin = netlist_.pin0[adder] + plan.form.pin[leaf], net = plan.source[leaf];
            netlist_.connect(pin, plan.needs_inverter[leaf] ? inverted(net, -1, plan, change) : net);
        }
        for (int o : {0, 1}) {
            int pin = netlist_.pin0[adder] + plan.form.out[o], net = plan.net[o];
            if (!plan.complement[o]) {
                netlist_.connect(pin, net);
            } else if (plan.swapped[o] < 0) {
                int between = new_net();
                netlist_.connect(pin, between);
                inverted(between, net, plan, change);
            } else {
                int inverter = plan.swapped[o], behind = output_net(inverter);
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

    int new_net() {
        netlist_.nets.emplace_back();
        return int(netlist_.nets.size()) - 1;
    }

    // Insert an inverter behind a net; it drives the given net, or a new one. Return this net.
    int inverted(int from, int to, const Plan& plan, Change& change) {
        int inverter = netlist_.add(inverter_, plan.x, plan.y, plan.gate[0]);
        const Kind& kind = netlist_.cell(inverter);
        if (to < 0) to = new_net();
        netlist_.connect(netlist_.pin0[inverter] + kind.output, to);
        netlist_.connect(netlist_.pin0[inverter] + kind.inputs[0], from);
        change.added.push_back(inverter);
        return to;
    }

    // Remove an instance, and remember its kind and connections.
    void take(int instance, Change& change) {
        Touched touched{instance, netlist_.kind[instance], {}};
        for (size_t p = 0; p < netlist_.cell(instance).pins.size(); p++) {
            touched.nets.push_back(netlist_.pin_net[netlist_.pin0[instance] + p]);
            netlist_.connect(netlist_.pin0[instance] + int(p), -1);
        }
        netlist_.kind[instance] = -1;
        change.touched.push_back(touched);
    }

    void undo(const Change& change) {
        refused_.insert({netlist_.parent[change.adder], netlist_.second[change.adder]});
        refused_.insert({netlist_.second[change.adder], netlist_.parent[change.adder]});
        auto disconnect = [&](int instance) {
            if (netlist_.kind[instance] < 0) return;
            for (size_t p = 0; p < netlist_.cell(instance).pins.size(); p++)
                netlist_.connect(netlist_.pin0[instance] + int(p), -1);
            netlist_.kind[instance] = -1;
        };
        for (int instance : change.added) disconnect(instance);
        for (const Touched& touched : change.touched) disconnect(touched.instance);
        for (const Touched& touched : change.touched) {
            netlist_.kind[touched.instance] = touched.kind;
            for (size_t p = 0; p < touched.nets.size(); p++)
                netlist_.connect(netlist_.pin0[touched.instance] + int(p), touched.nets[p]);
        }
        timer_.reorder = true;
    }

    bool is_worse(float worst, double total) const {
        return timer_.worst < worst - 1e-4f || timer_.total < total - 1e-3;
    }
};

}  // namespace physical
