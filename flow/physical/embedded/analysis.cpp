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
constexpr int LAUNCH = -2;

// Arrivals, slews and delays of the wire to each pin, by 2 * pin + edge, of late or of early paths.
struct Side {
    bool late;
    float factor;               // of delays
    std::vector<float> arrival, slew, wire;
    std::vector<int32_t> cause;  // see TimingArrays

    Side(bool is_late, double derate, size_t size)
        : late(is_late), factor(float(is_late ? 1 + derate : 1 - derate)), arrival(size, none()),
          slew(size, none()), wire(size, none()), cause(size, -1) {}

    float none() const { return late ? -NEVER : NEVER; }
    bool is_worse(float a, float b) const { return late ? a > b : a < b; }
    void take(float& kept, float found) const { if (is_worse(found, kept)) kept = found; }
};

class Analysis {
  public:
    // wired: number of nets with wires; behind them are those of outputs that drive nothing.
    Analysis(const Netlist& n, size_t wired, const WireArrays& w, const TimingOptions& o)
        : netlist_(n), wired_(wired), wires_(w), o_(o), order_(in_order(n)), late_(true, o.derate, 2 * n.pin_net.size()),
          early_(false, o.derate, 2 * n.pin_net.size()) {}

    void run(TimingArrays* out) {
        for (int i : order_) forward(i, late_);
        if (!o_.ideal) for (int i : order_) forward(i, early_);
        size_t size = late_.arrival.size();
        std::fill(out->setup, out->setup + size, NEVER);
        std::fill(out->hold, out->hold + size, NEVER);
        find_slacks(out);
        out->skew_ns = o_.ideal ? 0 : skew();
        auto known = [](float value) { return std::isfinite(value) ? value : 0.0f; };
        std::copy(late_.arrival.begin(), late_.arrival.end(), out->arrival);
        std::copy(late_.cause.begin(), late_.cause.end(), out->cause);
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
                    side.arrival[sink] =
                        side.arrival[2 * pin + edge] + (is_still ? 0 : side.factor * side.wire[sink]);
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
                    float found = at + side.factor * drive(arc, slew, out, net, side);
                    if (!side.is_worse(found, side.arrival[to])) continue;
                    side.arrival[to] = found;
                    side.cause[to] = arc.launch ? LAUNCH - (2 * from + in) : 2 * from + in;
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

    void find_slacks(TimingArrays* out) const {
        float due = float(o_.latency_ns - o_.uncertainty_ns), unsure = float(o_.uncertainty_ns);
        for (int i = 0; i < netlist_.count(); i++) {
            if (netlist_.is(i, OUTPUT)) {
                for (int edge : {RISE, FALL}) {
                    int at = 2 * netlist_.pin0[i] + edge;
                    out->setup[at] = o_.period_ns + due - late_.arrival[at];
                    out->hold[at] = early_.arrival[at] - float(o_.latency_ns) - unsure;
                }
            }
            for (const Check& check : netlist_.cell(i).checks) {
                int data = netlist_.pin0[i] + check.data, clock = netlist_.pin0[i] + check.clock;
                const Side& own = check.hold ? early_ : late_;
                const Side& other = check.hold ? late_ : early_;
                double* slack = check.hold ? out->hold : out->setup;
                for (int edge : {RISE, FALL}) {
                    int at = 2 * data + edge;
                    if (check.tables[edge] < 0 || !std::isfinite(own.arrival[at])) continue;
                    float need = table(check.tables[edge]).at(own.slew[at], clock_slew(other, clock)) + unsure;
                    float edge_at = clock_at(other, clock);
                    double found = check.hold ? own.arrival[at] - edge_at - need
                                              : o_.period_ns + edge_at - need - own.arrival[at];
                    slack[at] = std::min(slack[at], found);
                }
            }
        }
    }

    // Largest amount by which the clock reaches a register, whose data another one takes, later than
    // that one.
    double skew() const {
        std::vector<float> last(netlist_.pin_net.size(), -NEVER);
        for (int i : order_) {
            const Kind& kind = netlist_.cell(i);
            for (const Arc& arc : kind.arcs) {
                int from = netlist_.pin0[i] + arc.source, to = netlist_.pin0[i] + arc.target;
                int net = netlist_.pin_net[to];
                if (net < 0 || netlist_.nets[net].clock) continue;
                last[to] = std::max(last[to], arc.launch ? clock_at(late_, from) : last[from]);
                for (int pin : netlist_.nets[net].pins) last[pin] = last[to];
            }
        }
        float most = -NEVER;
        for (int i = 0; i < netlist_.count(); i++)
            for (const Check& check : netlist_.cell(i).checks)
                if (int data = netlist_.pin0[i] + check.data; !check.hold)
                    most = std::max(most, last[data] - clock_at(early_, netlist_.pin0[i] + check.clock));
        return std::isfinite(most) ? most : 0;
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
