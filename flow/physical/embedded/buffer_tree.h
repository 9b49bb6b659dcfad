// Where buffers can stand along the tree of a net, and the best places for load or for speed.
//
// From the sinks to the driver, each node of a net's tree gets a list of choices: where buffers
// stand below it, with the capacitance that the node sees, the time that is left at it, and the area
// of the buffers (van Ginneken's algorithm, with a library of buffers and with area: Lillis, Cheng
// and Lin, "Optimal wire sizing and buffer insertion for low power", IEEE JSSC 31, 1996).

#pragma once

#include "timer.h"

namespace physical {

class BufferTree {
  public:
    static constexpr int STEP = 50000;            // longest piece of wire without a choice, 25 um
    static constexpr float LONGEST_WIRE = 0.03f;  // Elmore delay of a stage's wires, ns
    static constexpr float LOAD_SHARE = 0.95f;    // of the largest load: legal places change wires

    // max_slew: slew at the output of a driver that its load may cause, ns.
    BufferTree(Timer& timer, float max_slew)
        : timer_(timer), netlist_(timer.netlist), max_slew_(max_slew), builder_(TREE_ALPHA) {
        for (int kind : netlist_.library.buffers) limits_.push_back(limit_of(kind));
    }

    struct Choice {
        float load, time;
        float wire;         // Elmore delay from the node to the farthest pin of its stage, ns
        double area;
        int buffer;         // index in the library's list; -1: none
        int node;           // where it stands
        int left, right;    // choices below
    };

    // The choices at the driver.
    const std::vector<int>& roots() const { return at_[0]; }
    const Choice& operator[](int choice) const { return choices_[choice]; }

    // Build the tree of a net's sinks and the choices at its nodes. With `timed`, the time at a sink
    // is its required time less the arrival at the driver.
    void solve(int net, const std::vector<int>& sinks, bool timed) {
        int source = netlist_.driver(net), n = int(sinks.size()) + 1;
        std::vector<int32_t> px(n), py(n);
        std::tie(px[0], py[0]) = netlist_.place(source);
        for (int i = 1; i < n; i++) std::tie(px[i], py[i]) = netlist_.place(sinks[i - 1]);
        builder_.build(n, px.data(), py.data(), tree_);
        sinks_ = sinks;
        divide();
        const WireModel& model = netlist_.wiring;
        bool is_upper = double(tree_.length()) >= model.long_um * model.dbu_per_um;
        double c = model.signal_ff_per_um / model.dbu_per_um;
        double r = (is_upper ? model.upper_ohm_per_um : model.lower_ohm_per_um) / model.dbu_per_um;
        choices_.clear();
        at_.assign(tree_.size(), {});
        for (int index = tree_.size() - 1; index >= 0; index--) {
            int node = tree_.order[index];
            if (node > 0 && node < n) {
                int pin = sinks_[node - 1];
                float load = std::max(netlist_.capacitance(pin, RISE), netlist_.capacitance(pin, FALL));
                float time = 0;
                if (timed) {
                    time = NEVER;
                    for (int e : {RISE, FALL})
                        time = std::min(time, timer_.required[2 * pin + e] -
                                                  timer_.arrival[2 * source + e]);
                    // What a slower edge costs behind a sink, see DELAY_PER_SLEW.
                    time += DELAY_PER_SLEW *
                            std::max(timer_.slew[2 * pin], timer_.slew[2 * pin + 1]);
                    time = std::min(time, 1e3f);
                }
                join(node, one({load, time, 0, 0, -1, node, -1, -1}));
            }
            if (node == 0) continue;
            if (node >= n || tree_.edge(node) > STEP / 2) add_buffers(node, timed);
            prune(at_[node], timed);
            // The wire to the parent.
            double length = tree_.edge(node), own = c * length;
            std::vector<int> above;
            for (int at : at_[node]) {
                Choice moved = choices_[at];
                float delay = float(r * length * (own / 2 + moved.load) * NS_PER_OHM_FF);
                if (timed) moved.time -= delay;
                moved.wire += delay;
                moved.load += float(own);
                moved.buffer = -1, moved.left = at, moved.right = -1;
                above.push_back(int(choices_.size()));
                choices_.push_back(moved);
            }
            join(tree_.parent[node], above);
            prune(at_[tree_.parent[node]], timed);
        }
    }

    // The choice at the driver with the least area whose load is allowed; else the least load.
    int cheapest(float limit) const {
        int best = -1;
        for (int at : at_[0]) {
            if (best < 0) { best = at; continue; }
            const Choice &own = choices_[at], &other = choices_[best];
            bool fits = own.load <= limit && own.wire <= LONGEST_WIRE;
            bool fitted = other.load <= limit && other.wire <= LONGEST_WIRE;
            if (fits != fitted ? fits : fits ? own.area < other.area : own.load < other.load)
                best = at;
        }
        return best;
    }

    // Largest load of a driving pin.
    float limit_at(int pin) const {
        int owner = netlist_.pin_instance[pin];
        if (netlist_.is(owner, INPUT)) return limit_of(netlist_.library.driving_kind);
        float high = LOAD_SHARE * netlist_.type(pin).limit, low = 0;
        const Kind& kind = netlist_.cell(owner);
        for (int step = 0; step < 12; step++) {
            float middle = (low + high) / 2, slew = 0;
            for (const Arc& arc : kind.arcs)
                if (netlist_.pin0[owner] + arc.target == pin)
                    for (int out : {RISE, FALL})
                        if (arc.late[2 + out] >= 0)
                            slew = std::max(slew,
                                            timer_.look(arc.late[2 + out], max_slew_ / 2, middle));
            (slew > max_slew_ ? high : low) = middle;
        }
        return low;
    }

    // Insert the buffers of a choice at the driver's node. Return their number.
    int insert(int net, int root) {
        int inserted = 0;
        struct Frame { int choice, net; };
        std::vector<Frame> todo{{root, net}};
        while (!todo.empty()) {
            auto [at, from] = todo.back();
            todo.pop_back();
            if (at < 0) continue;
            const Choice choice = choices_[at];
            if (choice.buffer < 0) {
                todo.push_back({choice.left, from});
                todo.push_back({choice.right, from});
                if (choice.left < 0 && choice.node > 0) {
                    int pin = sinks_[choice.node - 1];
                    if (netlist_.pin_net[pin] != from) netlist_.connect(pin, from);
                }
                continue;
            }
            int buffer = netlist_.insert_buffer(from, netlist_.library.buffers[choice.buffer],
                                                tree_.x[choice.node], tree_.y[choice.node], {});
            inserted++;
            todo.push_back({choice.left, netlist_.output_net(buffer)});
        }
        timer_.reorder = true;
        return inserted;
    }

  private:
    static constexpr float TYPICAL_SLEW = 0.035f;  // ns, at the input of a buffer
    static constexpr size_t MOST = 24;             // choices that are kept at a node

    Timer& timer_;
    Netlist& netlist_;
    const float max_slew_;
    SteinerBuilder builder_;
    std::vector<float> limits_;  // largest load of each of the library's buffers, fF
    Tree tree_;
    std::vector<int> sinks_;
    std::vector<Choice> choices_;
    std::vector<std::vector<int>> at_;  // choices at each node

    float limit_of(int kind) const {
        int out = netlist_.pin_of(kind, true);
        float high = LOAD_SHARE * netlist_.library.kinds[kind].pins[out].limit, low = 0;
        for (int step = 0; step < 20; step++) {
            float middle = (low + high) / 2;
            (slew_of(kind, middle, max_slew_ / 2) > max_slew_ ? high : low) = middle;
        }
        return low;
    }

    float slew_of(int kind, float load, float input) const {
        float most = 0;
        for (const Arc& arc : netlist_.library.kinds[kind].arcs)
            for (int out : {RISE, FALL})
                if (arc.late[2 + out] >= 0)
                    most = std::max(most, timer_.look(arc.late[2 + out], input, load));
        return most;
    }

    float delay_of(int kind, float load) const {
        float most = 0;
        for (const Arc& arc : netlist_.library.kinds[kind].arcs)
            for (int out : {RISE, FALL})
                if (arc.late[out] >= 0)
                    most = std::max(most, timer_.look(arc.late[out], TYPICAL_SLEW, load));
        return most;
    }

    // Delay of a buffer, with what its slews cost in the next gates.
    float stage_of(int kind, float load) const {
        float slew = slew_of(kind, load, TYPICAL_SLEW);
        return delay_of(kind, load) + DELAY_PER_SLEW * (slew - TYPICAL_SLEW);
    }

    std::vector<int> one(const Choice& choice) {
        choices_.push_back(choice);
        return {int(choices_.size()) - 1};
    }

    // Divide long edges, so that buffers can stand along them.
    void divide() {
        for (int node = 1, count = tree_.size(); node < count; node++) {
            int low = node;
            while (tree_.edge(low) > STEP) {
                int up = tree_.parent[low];
                int64_t dx = tree_.x[up] - tree_.x[low], dy = tree_.y[up] - tree_.y[low];
                int step_x = int(std::min<int64_t>(std::abs(dx), STEP));
                int step_y = int(std::min<int64_t>(std::abs(dy), STEP - step_x));
                tree_.x.push_back(tree_.x[low] + (dx < 0 ? -step_x : step_x));
                tree_.y.push_back(tree_.y[low] + (dy < 0 ? -step_y : step_y));
                tree_.parent.push_back(up);
                tree_.parent[low] = tree_.size() - 1;
                low = tree_.size() - 1;
            }
        }
        std::vector<std::vector<int>> below(tree_.size());
        for (int node = 1; node < tree_.size(); node++) below[tree_.parent[node]].push_back(node);
        tree_.order.assign(1, 0);
        for (size_t i = 0; i < tree_.order.size(); i++)
            for (int node : below[tree_.order[i]]) tree_.order.push_back(node);
    }

    // Combine a node's choices with those of one more branch.
    void join(int node, const std::vector<int>& branch) {
        if (at_[node].empty()) {
            at_[node] = branch;
            return;
        }
        std::vector<int> both;
        for (int a : at_[node]) {
            for (int b : branch) {
                const Choice p = choices_[a], q = choices_[b];
                both.push_back(int(choices_.size()));
                choices_.push_back({p.load + q.load, std::min(p.time, q.time),
                                    std::max(p.wire, q.wire), p.area + q.area, -1, node, a, b});
            }
        }
        at_[node] = both;
    }

    void add_buffers(int node, bool timed) {
        std::vector<int> plain = at_[node];
        const auto& buffers = netlist_.library.buffers;
        for (size_t b = 0; b < buffers.size(); b++) {
            const Kind& kind = netlist_.library.kinds[buffers[b]];
            const KindPin& in = kind.pins[netlist_.pin_of(buffers[b], false)];
            float load = std::max(in.capacitance[0], in.capacitance[1]);
            int best = -1;
            float best_time = 0;
            for (int at : plain) {
                const Choice& under = choices_[at];
                if (under.load > limits_[b] || under.wire > LONGEST_WIRE) continue;
                float time = timed ? under.time - stage_of(buffers[b], under.load) : -float(under.area);
                if (best < 0 || time > best_time) best = at, best_time = time;
            }
            if (best < 0) continue;
            Choice choice{load, timed ? best_time : 0, 0, choices_[best].area + kind.area, int(b),
                          node, best, -1};
            at_[node].push_back(int(choices_.size()));
            choices_.push_back(choice);
        }
    }

    // Keep the choices that no other choice beats in load, time and area; at most MOST of them.
    void prune(std::vector<int>& list, bool timed) {
        if (list.size() < 2) return;
        drop_long(list);
        std::sort(list.begin(), list.end(), [&](int a, int b) {
            const Choice &p = choices_[a], &q = choices_[b];
            if (p.load != q.load) return p.load < q.load;
            if (p.time != q.time) return p.time > q.time;
            return p.area != q.area ? p.area < q.area : a < b;
        });
        std::vector<int> kept;
        for (int at : list) {
            const Choice& own = choices_[at];
            bool beaten = false;
            for (int other : kept) {
                const Choice& o = choices_[other];
                if (o.area <= own.area && (timed ? o.time >= own.time : o.wire <= own.wire)) {
                    beaten = true;
                    break;
                }
            }
            if (!beaten) kept.push_back(at);
        }
        if (kept.size() > MOST) {
            std::vector<int> some;
            for (size_t i = 0; i < MOST; i++) some.push_back(kept[i * (kept.size() - 1) / (MOST - 1)]);
            kept = some;
        }
        list = kept;
    }

    // Drop the choices whose wires are too long, unless all are.
    void drop_long(std::vector<int>& list) const {
        auto too_long = [&](int at) { return choices_[at].wire > LONGEST_WIRE; };
        if (std::all_of(list.begin(), list.end(), too_long)) return;
        list.erase(std::remove_if(list.begin(), list.end(), too_long), list.end());
    }
};

}  // namespace physical
