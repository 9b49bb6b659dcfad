// Static timing of a finished netlist with given wires, late and early, as OpenSTA finds it.
//
// Delays of gates are over effective capacitances (effective.h); a wire's delay is the largest, or
// early the smallest, that an edge at the driver has. Late and early paths have slews of their own. All
// paths run between registers and ports on the rising edge of one clock.

#include <limits>

#include "effective.h"
#include "order.h"

using namespace physical;

namespace {

constexpr float NEVER = std::numeric_limits<float>::infinity();
constexpr int LAUNCHED = -2;
constexpr int ALL = -2, PORTS = -1;  // in place of a clock's leaf

// From one pin and edge to another: through a gate, from a register's clock, or along a wire.
struct Step {
    enum { GATE, LAUNCH, WIRE } kind;
    int from, to;
    float delay;
};

// Arrivals, slews and delays of the wire to each pin, by 2 * pin + edge, of late or of early paths.
struct Side {
    bool late;
    float factor;  // of delays
    std::vector<float> arrival, slew, wire;
    std::vector<Step> steps;  // each after those to its pin

    Side(bool is_late, double derate, size_t size)
        : late(is_late), factor(float(is_late ? 1 + derate : 1 - derate)), arrival(size, none()),
          slew(size, none()), wire(size, none()) {}

    float none() const { return late ? -NEVER : NEVER; }
    bool is_worse(float a, float b) const { return late ? a > b : a < b; }
    void take(float& kept, float found) const { if (is_worse(found, kept)) kept = found; }
};

class Analysis {
  public:
    // wired: number of nets with wires; behind them are those of outputs that drive nothing.
    Analysis(const Netlist& n, size_t wired, const WireArrays& w, const TimingOptions& o)
        : netlist_(n), wired_(wired), wires_(w), o_(o), order_(in_order(n)),
          late_(true, o.derate, 2 * n.pin_net.size()),
          early_(false, o.derate, 2 * n.pin_net.size()) {}

    void run(TimingArrays* out) {
        for (int i : order_) forward(i, late_);
        if (!o_.ideal) for (int i : order_) forward(i, early_);
        size_t size = late_.arrival.size();
        std::fill(out->setup, out->setup + size, NEVER);
        std::fill(out->hold, out->hold + size, NEVER);
        find_slacks(out);
        std::vector<float> worst = paths(late_, worst_, true, out->cause);
        for (size_t at = 0; at < size; at++)  // the clock's tree keeps its arrivals
            out->arrival[at] = std::isfinite(worst[at]) ? worst[at] : late_.arrival[at];
        out->skew_ns = std::isfinite(skew_) ? skew_ : 0;
        auto known = [](float value) { return std::isfinite(value) ? value : 0.0f; };
        std::transform(late_.slew.begin(), late_.slew.end(), out->slew, known);
        std::transform(late_.wire.begin(), late_.wire.end(), out->wire, known);
    }

  private:
    const Netlist& netlist_;
    size_t wired_;
    const WireArrays& wires_;
    const TimingOptions& o_;
    std::vector<int> order_;
    Side late_, early_;
    int worst_ = ALL;  // leaf whose registers launch the path with the least slack
    double least_ = NEVER, skew_ = -NEVER;

    const Table& table(int number) const { return netlist_.library.tables[number]; }
    Levels levels(int edge) const {
        const double* at = o_.levels + 3 * edge;
        return {at[0], at[1], at[2], o_.slew_derate};
    }

    // Edges of a clock that is ideal arrive at time 0, and registers see them without slew.
    float clock_at(const Side& side, int pin) const {
        return o_.ideal ? 0 : side.arrival[2 * pin + RISE];
    }
    float clock_slew(const Side& side, int pin) const {
        return o_.ideal ? 0 : side.slew[2 * pin + RISE];
    }

    void forward(int i, Side& side) {
        const Kind& kind = netlist_.cell(i);
        for (size_t p = 0; p < kind.pins.size(); p++) {
            int pin = netlist_.pin0[i] + int(p), net = netlist_.pin_net[pin];
            if (!kind.pins[p].output || net < 0) continue;
            const Net& own = netlist_.nets[net];
            if (kind.role & INPUT && own.clock) clock_port(own, side);
            else if (kind.role & INPUT) port(own, side);
            else gate(i, int(p), own, side);
            for (size_t s = 1; s < own.pins.size(); s++) {
                for (int edge : {RISE, FALL}) {
                    int sink = 2 * own.pins[s] + edge;
                    bool is_still = own.clock && o_.ideal;
                    if (is_still) side.arrival[2 * pin + edge] = 0;
                    float delay = is_still ? 0 : side.factor * side.wire[sink];
                    side.arrival[sink] = side.arrival[2 * pin + edge] + delay;
                    side.steps.push_back({Step::WIRE, 2 * pin + edge, sink, delay});
                }
            }
        }
    }

    // The clock's port has no driving cell: a step, which its wires make exponential.
    void clock_port(const Net& net, Side& side) {
        for (int edge : {RISE, FALL}) {
            Levels level = levels(edge);
            double width = std::log((1 - level.low) / (1 - level.high)) / level.slew_derate;
            side.arrival[2 * net.pins[0] + edge] = side.slew[2 * net.pins[0] + edge] = 0;
            for (size_t s = 1; s < net.pins.size(); s++) {
                int sink = 2 * net.pins[s] + edge;
                double elmore = o_.ideal ? 0 : wires_.elmore_ns[sink];
                side.wire[sink] = float(-elmore * std::log(1 - level.delay));
                side.slew[sink] = float(elmore * width);
            }
        }
    }

    // Any other port is driven by the library's driving cell. Its delay without load is not counted;
    // the rest is a delay of the wires.
    void port(const Net& net, Side& side) {
        for (const Arc& arc : netlist_.library.kinds[netlist_.library.driving_kind].arcs) {
            for (int in : {RISE, FALL}) {
                for (int out : {RISE, FALL}) {
                    if (!arc.causes(in, out)) continue;
                    side.arrival[2 * net.pins[0] + out] = float(o_.latency_ns);
                    drive(arc, 0, out, net, side, table(tables(arc, side)[out]).at(0, 0));
                }
            }
        }
    }

    void gate(int i, int position, const Net& net, Side& side) {
        for (const Arc& arc : netlist_.cell(i).arcs) {
            if (arc.target != position) continue;
            int from = netlist_.pin0[i] + arc.source;
            for (int in : {RISE, FALL}) {
                float at = arc.launch ? clock_at(side, from) : side.arrival[2 * from + in];
                if (!std::isfinite(at)) continue;
                float slew = arc.launch ? clock_slew(side, from) : side.slew[2 * from + in];
                for (int out : {RISE, FALL}) {
                    if (!arc.causes(in, out)) continue;
                    int to = 2 * net.pins[0] + out;
                    float delay = side.factor * drive(arc, slew, out, net, side);
                    side.take(side.arrival[to], at + delay);
                    if (o_.ideal && net.clock) continue;
                    side.steps.push_back(
                        {arc.launch ? Step::LAUNCH : Step::GATE, 2 * from + in, to, delay});
                }
            }
        }
    }

    static const int* tables(const Arc& arc, const Side& side) {
        return side.late ? arc.late : arc.early;
    }

    // Take slews and delays of wires that an arc causes; return the arc's delay. What is above a given
    // delay is added to the wires'.
    float drive(const Arc& arc, float in_slew, int edge, const Net& net, Side& side,
                float above = NEVER) {
        const int* own = tables(arc, side);
        size_t number = &net - netlist_.nets.data(), at = 2 * number + edge;
        PiModel pi;
        if (number < wired_) pi = {wires_.near_ff[at], wires_.ns_per_ff[at], wires_.far_ff[at]};
        Driver driver(table(own[edge]), table(own[2 + edge]), in_slew, pi, levels(edge));
        float more = above == NEVER ? 0 : float(driver.delay) - above;
        side.take(side.slew[2 * net.pins[0] + edge], float(driver.slew));
        for (size_t s = 1; s < net.pins.size(); s++) {
            int sink = 2 * net.pins[s] + edge;
            EdgeTime found = driver.load(wires_.elmore_ns[sink]);
            side.take(side.wire[sink], float(found.delay) + more);
            side.take(side.slew[sink], float(found.slew));
        }
        return float(driver.delay);
    }

    // Leaf of the clock: the driver of a register's clock pin.
    int leaf_of(int clock) const { return netlist_.driver(netlist_.pin_net[clock]); }

    // Worst arrivals, by pin and edge, of paths that the registers of a leaf launch, or the ports; if
    // not `timed`, the clock's arrival at the register. Nothing arrives in the clock's own nets then.
    std::vector<float> paths(const Side& side, int leaf, bool timed, int32_t* cause = nullptr) const {
        std::vector<float> at(side.arrival.size(), side.none());
        if (cause) std::fill(cause, cause + at.size(), -1);
        for (int i = 0; i < netlist_.count(); i++) {
            int pin = netlist_.pin0[i];
            if (!netlist_.is(i, INPUT) || netlist_.pin_net[pin] < 0) continue;
            bool is_clock = netlist_.nets[netlist_.pin_net[pin]].clock;
            bool is_start = is_clock ? timed && leaf == ALL : leaf == PORTS || (leaf == ALL && timed);
            for (int edge : {RISE, FALL})
                if (is_start) at[2 * pin + edge] = side.arrival[2 * pin + edge];
        }
        for (const Step& step : side.steps) {
            bool is_launch = step.kind == Step::LAUNCH;
            if (is_launch && leaf != ALL && leaf != leaf_of(step.from / 2)) continue;
            float from = is_launch ? clock_at(side, step.from / 2) : at[step.from];
            float found = from + (timed ? step.delay : 0);
            if (!side.is_worse(found, at[step.to])) continue;
            at[step.to] = found;
            if (cause && step.kind != Step::WIRE)
                cause[step.to] = is_launch ? LAUNCHED - step.from : step.from;
        }
        return at;
    }

    // Slacks of all ends, and the skew. With a derate, the part of the clock's tree that launching and
    // capturing register have in common is not both late and early, which depends on their leaves.
    void find_slacks(TimingArrays* out) {
        std::vector<int> leaves{ALL};
        if (o_.derate > 0) {
            leaves = {PORTS};
            for (const Step& step : late_.steps)
                if (step.kind == Step::LAUNCH) leaves.push_back(leaf_of(step.from / 2));
            std::sort(leaves.begin(), leaves.end());
            leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
        }
        for (int leaf : leaves) {
            auto late = paths(late_, leaf, true), last = paths(late_, leaf, false);
            auto early = o_.ideal ? early_.arrival : paths(early_, leaf, true);
            for (int i = 0; i < netlist_.count(); i++) {
                if (netlist_.is(i, OUTPUT)) port_slacks(netlist_.pin0[i], leaf, late, early, out);
                for (const Check& check : netlist_.cell(i).checks) {
                    int data = netlist_.pin0[i] + check.data, clock = netlist_.pin0[i] + check.clock;
                    check_slacks(check, data, clock, leaf, check.hold ? early : late, out);
                    float launch = std::max(last[2 * data], last[2 * data + 1]);
                    if (check.hold || leaf == PORTS || o_.ideal || launch == -NEVER) continue;
                    double later = launch - clock_at(early_, clock) - shared(leaf, clock);
                    skew_ = std::max(skew_, later);
                }
            }
        }
    }

    void port_slacks(int pin, int leaf, const std::vector<float>& late,
                     const std::vector<float>& early, TimingArrays* out) {
        for (int edge : {RISE, FALL}) {
            int at = 2 * pin + edge;
            double due = o_.latency_ns - o_.uncertainty_ns;
            take_setup(out, at, o_.period_ns + due - late[at], leaf);
            out->hold[at] = std::min(out->hold[at], early[at] - o_.latency_ns - o_.uncertainty_ns);
        }
    }

    void check_slacks(const Check& check, int data, int clock, int leaf,
                      const std::vector<float>& arrival, TimingArrays* out) {
        const Side& own = check.hold ? early_ : late_;
        const Side& other = check.hold ? late_ : early_;
        for (int edge : {RISE, FALL}) {
            int at = 2 * data + edge;
            if (check.tables[edge] < 0 || !std::isfinite(arrival[at])) continue;
            double need = table(check.tables[edge]).at(own.slew[at], clock_slew(other, clock)) +
                          o_.uncertainty_ns - shared(leaf, clock);
            if (check.hold)
                out->hold[at] = std::min(out->hold[at], arrival[at] - clock_at(other, clock) - need);
            else
                take_setup(out, at, o_.period_ns + clock_at(other, clock) - need - arrival[at], leaf);
        }
    }

    void take_setup(TimingArrays* out, int at, double slack, int leaf) {
        out->setup[at] = std::min(out->setup[at], slack);
        if (slack < least_) least_ = slack, worst_ = leaf;
    }

    // By how much the last pin that two leaves' paths from the clock's port have in common is later
    // on late paths than on early ones.
    double shared(int leaf, int clock) const {
        if (leaf < 0) return 0;
        std::vector<int> above = way_to(leaf);
        for (int pin : way_to(leaf_of(clock)))
            if (std::find(above.begin(), above.end(), pin) != above.end())
                return late_.arrival[2 * pin + RISE] - early_.arrival[2 * pin + RISE];
        return 0;
    }

    // Pins from a driver in the clock's tree back to the clock's port.
    std::vector<int> way_to(int driver) const {
        std::vector<int> way;
        for (int next = driver; next >= 0;) {
            int i = netlist_.pin_instance[next];
            way.push_back(next);
            next = -1;
            for (const Arc& arc : netlist_.cell(i).arcs)
                if (int net = netlist_.pin_net[netlist_.pin0[i] + arc.source];
                    !arc.launch && net >= 0 && netlist_.nets[net].clock) {
                    way.push_back(netlist_.pin0[i] + arc.source);
                    next = netlist_.driver(net);
                }
        }
        return way;
    }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void analyse(
    const LibraryArrays* library, const DesignArrays* design, const WireArrays* wires,
    const TimingOptions* options, TimingArrays* out) {
    Library cells(*library);
    Netlist netlist(cells, WireModel{}, *design);
    for (size_t pin = 0; pin < netlist.pin_net.size(); pin++)
        if (netlist.pin_net[pin] < 0 && netlist.type(int(pin)).output)
            netlist.connect(int(pin), netlist.new_net());
    Analysis(netlist, size_t(design->net_count), *wires, *options).run(out);
}
