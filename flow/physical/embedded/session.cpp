// Functions that Python calls: a netlist is opened, timed, repaired and read back.

#include <memory>

#include "clock_tree.h"
#include "hold.h"
#include "legal.h"
#include "mirror.h"
#include "repair.h"
#include "shorten.h"
#include "spread.h"

using namespace physical;

namespace {

struct Session {
    Library library;
    Netlist netlist;
    Timer timer;

    Session(const LibraryArrays& l, const WireModel& w, const ClockArrays& c,
            const DesignArrays& d)
        : library(l), netlist(library, w, d), timer(netlist, ClockModel(c)) {}
};

void summarize(Session& s, Summary* out) {
    Timer& t = s.timer;
    out->worst_ns = t.worst;
    out->total_ns = t.total;
    out->failing = t.failing;
    out->area = s.netlist.area();
    out->slew_violations = out->load_violations = 0;
    double wire = 0, wire_f = 0;
    for (const Net& net : s.netlist.nets) {
        if (!net.used()) continue;
        wire += double(net.tree.length());
        wire_f += net.wire;
        int pin = net.pins[0];
        if (net.clock && t.clock.ideal) continue;
        if (s.netlist.type(pin).output && !s.netlist.is(s.netlist.pin_instance[pin], INPUT))
            out->load_violations +=
                std::max(net.load[0], net.load[1]) > s.netlist.type(pin).limit * 1.0001f;
        for (int p : net.pins)
            if (std::max(t.slew[2 * p], t.slew[2 * p + 1]) > s.library.max_slew * 1.0001f)
                out->slew_violations++;
    }
    float first = NEVER, last = -NEVER;
    for (int i = 0; i < s.netlist.count(); i++) {
        if (!s.netlist.is(i, REGISTER)) continue;
        float at = t.latency(i, s.netlist.pin0[i] + s.netlist.cell(i).clock_pin);
        first = std::min(first, at), last = std::max(last, at);
    }
    out->skew_ns = last > first ? last - first : 0;
    out->latency_ns = t.clock.port_latency;
    out->wire_length = wire;
    out->wire_ff = wire_f;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void* physical_open(const LibraryArrays* library, const WireModel* wiring,
                             const ClockArrays* clock, const DesignArrays* design) {
    return new Session(*library, *wiring, *clock, *design);
}

EXPORTED void physical_close(void* session) { delete static_cast<Session*>(session); }

EXPORTED void physical_time(void* session, double period, double derate, Summary* out) {
    auto& s = *static_cast<Session*>(session);
    s.timer.run(float(period));
    summarize(s, out);
    out->hold_ns = s.timer.hold(float(derate));
}

EXPORTED double physical_set_port_latency(void* session) {
    auto& timer = static_cast<Session*>(session)->timer;
    timer.run(0);
    timer.clock.port_latency = timer.mean_latency();
    return timer.clock.port_latency;
}

EXPORTED void physical_remove_buffers(void* session, Summary* out) {
    auto& s = *static_cast<Session*>(session);
    out->removed = Repair(s.timer, s.library.max_slew).remove_buffers();
}

EXPORTED void physical_repair(void* session, const RepairOptions* o, Summary* out) {
    auto& s = *static_cast<Session*>(session);
    Repair repair(s.timer, float(o->slew_ns));
    if (o->limit) repair.limit(float(o->period_ns));
    else s.timer.run(float(o->period_ns));
    if (o->rounds) repair.speed_up(float(o->period_ns), int(o->rounds));
    if (o->adders) repair.adders().run(float(o->period_ns), float(o->margin_ns));
    if (o->recover) repair.recover(float(o->period_ns), float(o->margin_ns));
    summarize(s, out);
    out->inserted = repair.buffering().inserted;
    out->removed = repair.buffering().removed;
    out->resized = repair.resized + repair.shrunk;
    out->rounds = repair.rounds;
    out->adders = repair.adders().inserted;
}

EXPORTED void physical_clock_tree(void* session, const ClockTreeOptions* o, Summary* out) {
    auto& s = *static_cast<Session*>(session);
    ClockTree tree(s.timer, *o);
    tree.build();
    tree.balance(float(o->period_ns));
    summarize(s, out);
    out->hold_ns = s.timer.hold(0);
    out->inserted = tree.buffers;
    out->copied = tree.copies;
    out->rounds = tree.levels;
    out->latency_ns = s.timer.clock.port_latency;
}

EXPORTED void physical_hold(void* session, double period, double margin, double derate,
                            Summary* out) {
    auto& s = *static_cast<Session*>(session);
    Hold hold(s.timer);
    out->hold_ns = hold.repair(float(period), float(margin), float(derate), 20);
    s.timer.run(float(period));
    summarize(s, out);
    out->inserted = hold.inserted;
}

EXPORTED void physical_move(void* session, const int32_t* x, const int32_t* y,
                            const uint8_t* orient) {
    auto& n = static_cast<Session*>(session)->netlist;
    for (int i = 0; i < n.count(); i++) {
        if (n.kind[i] < 0 || (n.x[i] == x[i] && n.y[i] == y[i] && n.orient[i] == orient[i])) continue;
        n.x[i] = x[i], n.y[i] = y[i], n.orient[i] = orient[i];
        n.moved(i);
    }
}

EXPORTED void physical_mirror(void* session, uint8_t* orient) {
    auto& n = static_cast<Session*>(session)->netlist;
    Mirror(n).run();
    std::copy(n.orient.begin(), n.orient.end(), orient);
}

EXPORTED void physical_spread(void* session, const RowArrays* rows, const PlaceOptions* options,
                              const double* space) {
    Spread(static_cast<Session*>(session)->timer, *rows, *options, space).run();
}

EXPORTED void physical_weights(void* session, double period, double* weights) {
    Timer& timer = static_cast<Session*>(session)->timer;
    timer.run(float(period));
    auto found = net_weights(timer);
    std::copy(found.begin(), found.end(), weights);
}

EXPORTED int64_t physical_legalize(void* session, const RowArrays* rows) {
    return Legal(static_cast<Session*>(session)->netlist, *rows).run();
}

EXPORTED int64_t physical_shorten(void* session, const RowArrays* rows, const double* weights) {
    auto& s = *static_cast<Session*>(session);
    return Shorten(s.netlist, *rows, weights, !s.timer.clock.ideal).run();
}

EXPORTED void physical_sizes(void* session, int64_t* sizes) {
    auto& n = static_cast<Session*>(session)->netlist;
    sizes[0] = n.count();
    sizes[1] = int64_t(n.pin_net.size());
    sizes[2] = int64_t(n.nets.size());
}

EXPORTED void physical_read(void* session, Reading* r) {
    auto& n = static_cast<Session*>(session)->netlist;
    std::copy(n.kind.begin(), n.kind.end(), r->kind);
    std::copy(n.x.begin(), n.x.end(), r->x);
    std::copy(n.y.begin(), n.y.end(), r->y);
    std::copy(n.orient.begin(), n.orient.end(), r->orient);
    std::copy(n.parent.begin(), n.parent.end(), r->parent);
    std::copy(n.second.begin(), n.second.end(), r->second);
    std::copy(n.pin0.begin(), n.pin0.end(), r->first_pin);
    std::copy(n.pin_net.begin(), n.pin_net.end(), r->pin_net);
}

// Smallest slack of each net's driver, ns; and the capacitance of its wire, fF.
EXPORTED void physical_pins(void* session, double* arrival, double* slew, double* required) {
    auto& t = static_cast<Session*>(session)->timer;
    std::copy(t.arrival.begin(), t.arrival.end(), arrival);
    std::copy(t.slew.begin(), t.slew.end(), slew);
    std::copy(t.required.begin(), t.required.end(), required);
}
