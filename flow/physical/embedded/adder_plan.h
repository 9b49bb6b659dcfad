// Plans to replace gates by an adder cell: signals that it computes, gates that go, saved area.

#pragma once

#include <set>

#include "adder_timing.h"

namespace physical {

// Two signals that are functions of the same leaves.
struct Match {
    Cut cut;
    std::array<int, 2> net;
    std::array<bool, 2> inverted;
    const std::vector<Form>* forms;
};

class AdderPlans {
  public:
    AdderPlans(const Timer& timer, const AdderLibrary& adders, float max_slew)
        : netlist_(timer.netlist), adders_(adders), timing_(timer, adders, max_slew), cuts_(timer) {
        marked_.assign(netlist_.count(), 0);
        for (int net = 0; net < int(netlist_.nets.size()); net++)
            if (netlist_.nets[net].used() && !netlist_.nets[net].clock)
                nets_[{cuts_.root(net), cuts_.inverted(net)}].push_back(net);
    }

    // Plans whose slack stays above `above`, those that save most area first. `refused`: pairs of
    // gates that stay.
    std::vector<Plan> find(float above, const std::set<std::pair<int, int>>& refused) {
        std::vector<Plan> plans;
        for (const Match& match : matches()) {
            int one = driver(match.net[0]), two = driver(match.net[1]);
            if (one == two || refused.count({one, two})) continue;
            Plan best;
            for (const Form& form : *match.forms) {
                Plan plan = plan_of(match, form);
                if (plan.area < LEAST_AREA || plan.area < best.area - LEAST_AREA) continue;
                if (!timing_.is_fast(plan, above)) continue;
                if (plan.area > best.area + LEAST_AREA || plan.slack > best.slack) best = plan;
            }
            if (best.area > 0) plans.push_back(best);
        }
        std::stable_sort(plans.begin(), plans.end(),
                         [](const Plan& a, const Plan& b) { return a.area > b.area + LEAST_AREA; });
        return plans;
    }

    // Whether other plans, which were carried out since, have left what a plan relies on.
    bool is_valid(const Plan& plan) {
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            if (plan.opened[leaf] >= 0) {
                if (netlist_.pin_net[plan.opened[leaf]] >= 0) return false;
                continue;
            }
            const Net& net = netlist_.nets[plan.source[leaf]];
            if (!net.used() || !netlist_.type(net.pins[0]).output) return false;
            if (plan.changed[leaf] >= 0 && !is_read_by_gone(plan, leaf)) return false;
        }
        if (gone(plan.gate, plan.source) != plan.gone) return false;
        for (int o : {0, 1})
            if (plan.swapped[o] >= 0 && is_only_sink(plan, o) != plan.only[o]) return false;
        return true;
    }

  private:
    static constexpr int NEAR = 40000;   // distance of a signal that is taken as it is, 20 um
    static constexpr int FAR = 120000;   // distance of a flip-flop whose other output is taken
    static constexpr double LEAST_AREA = 1e-3;  // um2

    const Netlist& netlist_;
    const AdderLibrary& adders_;
    const AdderTiming timing_;
    const Cuts cuts_;
    std::map<std::pair<int, bool>, std::vector<int>> nets_;  // by signal and complement
    std::vector<char> marked_;

    int driver(int net) const { return netlist_.pin_instance[netlist_.driver(net)]; }

    // Pairs of signals that an adder cell can compute.
    std::vector<Match> matches() const {
        struct Entry { Cut cut; int net; bool inverted; };
        std::set<std::pair<int, int>> wanted;
        const auto& all = adders_.forms();
        for (const auto& [key, forms] : all) wanted.insert({std::get<0>(key), std::get<1>(key)});
        std::vector<Entry> entries;
        for (int net = 0; net < int(netlist_.nets.size()); net++) {
            for (const Cut& cut : cuts_.of(net)) {
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
                    auto forms = all.find({entries[a].cut.count, entries[a].cut.table,
                                           entries[b].cut.table});
                    // Each pair once: the function with the smaller table first.
                    if (forms == all.end() || entries[a].cut.table > entries[b].cut.table) continue;
                    found.push_back({entries[a].cut, {entries[a].net, entries[b].net},
                                     {entries[a].inverted, entries[b].inverted}, &forms->second});
                }
            }
        }
        return found;
    }

    Plan plan_of(const Match& match, const Form& form) {
        Plan plan;
        plan.form = form, plan.net = match.net, plan.leaves = match.cut.count;
        for (int o : {0, 1}) {
            plan.gate[o] = driver(match.net[o]);
            plan.complement[o] = match.inverted[o] ^ form.out_inverted[o];
        }
        std::tie(plan.x, plan.y) = middle({plan.gate[0], plan.gate[1]});
        const auto& library = netlist_.library;
        double added = library.kinds[form.kind].area;
        double inverter = library.kinds[adders_.inverter()].area;
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            bool inverted = form.inverted >> leaf & 1;
            int signal = match.cut.leaves[leaf];
            int other = complement_of(netlist_.driver(signal));
            plan.source[leaf] = nearest(signal, inverted, plan, other < 0 ? NEAR : FAR);
            if (plan.source[leaf] < 0 && inverted && other >= 0 && netlist_.pin_net[other] < 0 &&
                distance(netlist_, other, plan) <= FAR) {
                plan.opened[leaf] = other;
                continue;
            }
            if (plan.source[leaf] < 0) {
                plan.needs_inverter[leaf] = true;
                added += inverter;
                plan.source[leaf] = nearest(signal, !inverted, plan, 1 << 30);
            }
            if (plan.source[leaf] < 0) return plan;
        }
        plan.gone = gone(plan.gate, plan.source);
        for (int leaf = 0; leaf < plan.leaves; leaf++) {
            if (!plan.needs_inverter[leaf] || plan.source[leaf] != match.cut.leaves[leaf]) continue;
            int gate = driver(plan.source[leaf]);
            int kind = adders_.complement(netlist_.kind[gate]).kind;
            // A complement of a complement would not be given.
            if (kind < 0 || gate >= netlist_.given || !is_read_by_gone(plan, leaf)) continue;
            double more = library.kinds[kind].area - netlist_.cell(gate).area;
            if (more > inverter) continue;
            plan.needs_inverter[leaf] = false;
            plan.changed[leaf] = gate;
            added += more - inverter;
        }
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

    // The flip-flop's output that has the complement of an output; -1: there is none.
    int complement_of(int pin) const {
        int other = netlist_.type(pin).complement;
        return other < 0 ? -1 : netlist_.pin0[netlist_.pin_instance[pin]] + other;
    }

    // Net that has a signal, or its complement, and whose driver is nearest; -1: none is so near.
    int nearest(int signal, bool inverted, const Plan& plan, int within) const {
        auto found = nets_.find({signal, inverted});
        int best = -1;
        if (found == nets_.end()) return best;
        for (int net : found->second) {
            int least = within + 1;
            for (int pin : netlist_.nets[net].pins)
                least = std::min(least, distance(netlist_, pin, plan));
            if (least <= within) best = net, within = least - 1;
        }
        return best;
    }

    // Whether only gates that go read a leaf.
    bool is_read_by_gone(const Plan& plan, int leaf) const {
        const auto& pins = netlist_.nets[plan.source[leaf]].pins;
        return std::all_of(pins.begin() + 1, pins.end(),
                           [&](int pin) { return plan.takes(netlist_.pin_instance[pin]); });
    }

    // An inverter that reads an output's net, and stays.
    int inverter_behind(const Plan& plan, int o) const {
        const auto& pins = netlist_.nets[plan.net[o]].pins;
        for (size_t s = 1; s < pins.size(); s++) {
            int owner = netlist_.pin_instance[pins[s]];
            const Kind& kind = netlist_.cell(owner);
            if (!Cuts::is_repeater(kind) || !(kind.pins[kind.output].table & 1)) continue;
            int behind = netlist_.output_net(owner);
            if (behind < 0 || netlist_.nets[behind].clock) continue;
            if (plan.takes(owner)) continue;
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
            if (owner != plan.swapped[o] && !plan.takes(owner)) return false;
        }
        return true;
    }

    bool removable(int instance) const {
        if (netlist_.kind[instance] < 0) return false;
        const Kind& kind = netlist_.cell(instance);
        return kind.logic && kind.outputs == 1 && !kind.inputs.empty();
    }

    // Instances that were added since the plans were made are not marked.
    bool is_marked(int instance) const {
        return instance < int(marked_.size()) && marked_[instance];
    }

    // Gates that nothing reads once an adder cell drives the signals, and reads `kept`.
    std::vector<int> gone(const std::array<int, 2>& gates,
                          const std::array<int, MOST_LEAVES>& kept) {
        std::vector<int> found(gates.begin(), gates.end());
        for (int gate : gates) marked_[gate] = 1;
        for (size_t at = 0; at < found.size(); at++) {
            for (int input : netlist_.cell(found[at]).inputs) {
                int net = netlist_.pin_net[netlist_.pin0[found[at]] + input];
                if (net < 0 || std::count(kept.begin(), kept.end(), net)) continue;
                const auto& pins = netlist_.nets[net].pins;
                int driver = netlist_.pin_instance[pins[0]];
                if (is_marked(driver) || !removable(driver) || netlist_.nets[net].clock) continue;
                if (std::all_of(pins.begin() + 1, pins.end(),
                                [&](int pin) { return is_marked(netlist_.pin_instance[pin]); })) {
                    marked_[driver] = 1;
                    found.push_back(driver);
                }
            }
        }
        for (int gate : found) marked_[gate] = 0;
        return found;
    }
};

}  // namespace physical
