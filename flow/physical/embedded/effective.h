// A driver with resistance in front of wires with resistance: its delay, its slew, and the delays and
// slews at the pins that it drives.
//
// Library tables are over a capacitance, but wires shield a part of theirs behind resistance. After
// F. Dartu, N. Menezes, L. Pileggi, "Performance computation for precharacterized CMOS gates with RC
// loads" (IEEE Trans. CAD 15(5), 1996): the driver is a ramp behind a resistance; an effective
// capacitance takes the same charge as the wires while the ramp rises. The wires are a pi model:
// capacitance near the driver, resistance, capacitance far away (P. O'Brien, T. Savarino, "Modeling
// the driving-point characteristic of resistive interconnect", ICCAD 1989). OpenSTA does the same;
// start values, tolerances and exceptions are its, because where they end the search, figures jump.
//
// Units: ns, fF, and so resistances in ns/fF (1e6 ohm). Voltages are fractions of the edge.

#pragma once

#include <cmath>

#include "cells.h"

namespace physical {

constexpr double TOLERANCE = 0.01;        // of all searches, as a fraction of what is searched
constexpr double NO_RESISTANCE = 1e-8;    // 0.01 ohm
constexpr double NEGLIGIBLE = 1e-3;       // share of a resistance, capacitance or time
constexpr double LONGEST_RAMP = 1.4;      // of a capacitance's time, in ramps of the driver

// Levels between which a library measures delays and slews, for one edge.
struct Levels {
    double delay, low, high;
    double slew_derate;  // measured slew over a table's slew
};

struct PiModel { double near = 0, resistance = 0, far = 0; };

struct EdgeTime { double delay, slew; };

// Answer of a linear circuit to a ramp of slope 1 that begins at 0: t + offset + sum of
// amplitude x exp(-pole x t); and to a ramp that ends at 1 after a time.
class Answer {
  public:
    double offset = 0;
    int count = 0;
    double amplitude[3], pole[3];

    void add(double a, double p) { amplitude[count] = a, pole[count++] = p; }

    double value(double t) const {
        double sum = t + offset;
        for (int i = 0; i < count; i++) sum += amplitude[i] * std::exp(-pole[i] * t);
        return sum;
    }

    double slope(double t) const {
        double sum = 1;
        for (int i = 0; i < count; i++) sum -= amplitude[i] * pole[i] * std::exp(-pole[i] * t);
        return sum;
    }

    // Answer of a low pass with the time constant `rc` behind this circuit.
    Answer behind(double rc) const {
        double p = 1 / rc, last = rc - offset;
        Answer after;
        after.offset = offset - rc;
        for (int i = 0; i < count; i++) {
            double share = amplitude[i] * p / (p - pole[i]);
            after.add(share, pole[i]);
            last -= share;
        }
        after.add(last, p);
        return after;
    }

    double value(double t, double ramp) const {
        if (t <= 0) return 0;
        return (value(t) - (t > ramp ? value(t - ramp) : 0)) / ramp;
    }

    double slope(double t, double ramp) const {
        if (t <= 0) return 0;
        return (slope(t) - (t > ramp ? slope(t - ramp) : 0)) / ramp;
    }
};

class Driver {
  public:
    double delay, slew;

    Driver(const Table& delays, const Table& slews, float in_slew, const PiModel& pi,
           const Levels& levels)
        : delays_(delays), slews_(slews), in_slew_(in_slew), levels_(levels), pi_(pi) {
        total_ = pi.near + pi.far;
        float some = float(0.75 * total_), more = some * 1.1f;
        resistance_ = std::fabs(delays.at(in_slew, some) - delays.at(in_slew, more)) / (more - some);
        bool is_plain = resistance_ < NO_RESISTANCE || pi.resistance < resistance_ * NEGLIGIBLE ||
                        pi.far == 0 || pi.far < pi.near * NEGLIGIBLE || pi.resistance == 0;
        bool is_far = pi_.near < pi_.far * NEGLIGIBLE;
        double effective = is_far ? pi.far : total_;
        set(at(effective));
        if (is_plain || !(is_far ? fit_far() : fit_pi())) return;
        double low, high;
        bool has_slew = crossing(answer_, levels_.delay, 0, &crossing_) &&
                        crossing(answer_, levels_.low, 0, &low) &&
                        crossing(answer_, levels_.high, 0, &high);
        is_fitted_ = true;
        // The table's delay is nearer to the truth than the answer's, and the answer's slew is.
        if (is_far) delay = has_slew ? crossing_ : delay;
        else set(at(effective_));
        if (has_slew) slew = (high - low) / levels_.slew_derate;
        else if (is_far) crossing_ = delay;
    }

    // Delay from the driver to a pin with an Elmore delay, and the pin's slew.
    EdgeTime load(double elmore) const {
        if (!is_fitted_ || elmore <= slew * NEGLIGIBLE) return {elmore, slew};
        Answer after = answer_.behind(elmore);
        double middle, low, high;
        if (!(crossing(after, levels_.delay, elmore, &middle) &&
              crossing(after, levels_.low, elmore, &low) &&
              crossing(after, levels_.high, elmore, &high)))
            return {elmore, slew};
        double wire = middle - crossing_;
        return {wire < 0 ? elmore : wire, std::max(slew, (high - low) / levels_.slew_derate)};
    }

  private:
    const Table& delays_;
    const Table& slews_;
    float in_slew_;
    Levels levels_;
    PiModel pi_;
    double total_;         // capacitance
    double resistance_;    // of the driver
    bool is_fitted_ = false;
    double start_ = 0, ramp_ = 0, effective_ = 0;  // of the driver's ramp; effective capacitance
    double crossing_ = 0;  // time at which the answer crosses the level of delays
    Answer answer_;        // at the driver's output, of a ramp behind the driver's resistance

    void set(const EdgeTime& found) { delay = found.delay, slew = found.slew; }

    EdgeTime at(double capacitance) const {
        float load = float(capacitance);
        return {delays_.at(in_slew_, load), std::max(slews_.at(in_slew_, load), 0.0f)};
    }

    // Times at which the table's edge crosses the levels of delays and of a slew's begin, and the
    // time of a whole edge.
    struct Edge { double middle, low, whole; };

    Edge edge_at(double capacitance) const {
        EdgeTime found = at(capacitance);
        double whole = found.slew * levels_.slew_derate / (levels_.high - levels_.low);
        return {found.delay, found.delay - whole * (levels_.delay - levels_.low), whole};
    }

    // Value at a time of the ramp's answer at a capacitance, and its derivatives by start, ramp and
    // time constant rc: u(t) = t - rc (1 - exp(-t / rc)) for a slope of 1.
    struct Point { double value = 0, by_start = 0, by_ramp = 0, by_rc = 0; };

    static Point ramp_at(double time, double start, double ramp, double rc) {
        Point p;
        double t = time - start;
        if (t <= 0) return p;
        double e = std::exp(-t / rc), u = t - rc * (1 - e);
        double du = 1 - e, dc = (1 + t / rc) * e - 1;
        if (t <= ramp) return {u / ramp, -du / ramp, -u / (ramp * ramp), dc / ramp};
        double f = std::exp(-(t - ramp) / rc), w = t - ramp - rc * (1 - f);
        double dw = 1 - f, dd = (1 + (t - ramp) / rc) * f - 1;
        // The derivative by the ramp is -(u - w) / ramp^2 + dw / ramp. OpenSTA adds w; with the right
        // sign the search ends elsewhere, and finds a solution where OpenSTA finds none.
        return {(u - w) / ramp, -(du - dw) / ramp, -(u + w) / (ramp * ramp) + dw / ramp,
                (dc - dd) / ramp};
    }

    // Solve a system of `n` linear equations in place; false if it has no solution.
    static bool solve(double a[3][3], double b[3], int n) {
        for (int k = 0; k < n; k++) {
            int best = k;
            for (int i = k + 1; i < n; i++) if (std::fabs(a[i][k]) > std::fabs(a[best][k])) best = i;
            if (a[best][k] == 0) return false;
            std::swap(a[best], a[k]);
            std::swap(b[best], b[k]);
            for (int i = k + 1; i < n; i++) {
                double factor = a[i][k] / a[k][k];
                for (int j = k; j < n; j++) a[i][j] -= factor * a[k][j];
                b[i] -= factor * b[k];
            }
        }
        for (int k = n; k-- > 0;) {
            for (int j = k + 1; j < n; j++) b[k] -= a[k][j] * b[j];
            b[k] /= a[k][k];
        }
        return true;
    }

    // Find start and ramp, and with three unknowns the effective capacitance, by Newton's method: the
    // ramp's answer at this capacitance crosses two levels when the table's edge does.
    bool fit(double x[3], int unknowns) {
        Edge edge = edge_at(x[2]);
        x[1] = edge.whole;
        x[0] = edge.middle + std::log(1 - levels_.delay) * resistance_ * x[2] -
               levels_.delay * x[1];
        for (int round = 0; round < 100; round++) {
            double ramp = x[1], rc = resistance_ * x[2];
            if (ramp <= 0 || (unknowns == 3 && (x[2] > total_ || x[2] < 0))) return false;
            edge = edge_at(x[2]);
            Point low = ramp_at(edge.low, x[0], ramp, rc);
            Point middle = ramp_at(edge.middle, x[0], ramp, rc);
            double a[3][3] = {{low.by_start, low.by_ramp, low.by_rc * resistance_},
                              {middle.by_start, middle.by_ramp, middle.by_rc * resistance_},
                              {0, 0, 1}};
            double b[3] = {levels_.low - low.value, levels_.delay - middle.value, 0};
            if (unknowns == 3) b[2] = -charge(x, edge.whole, a[2]);
            if (!solve(a, b, unknowns)) return false;
            bool is_near = true;
            for (int i = 0; i < unknowns; i++) {
                is_near = is_near && std::fabs(b[i]) <= std::fabs(x[i]) * TOLERANCE;
                x[i] += b[i];
            }
            if (!is_near) continue;
            start_ = x[0], ramp_ = x[1], effective_ = x[2];
            return std::isfinite(start_ + ramp_ + effective_);
        }
        return false;
    }

    // Mean current into the pi model less that into the effective capacitance, over the time in which
    // the table's edge rises; and its derivatives. b_ and d_ are residues at the poles.
    double charge(const double x[3], double whole, double derivatives[3]) const {
        double ramp = x[1], rc = resistance_ * x[2], time = std::min(whole, LONGEST_RAMP * ramp);
        auto e = [](double t, double pole) { return 1 - std::exp(-pole * t); };
        double pi = a_ * time + b_ / p1_ * e(time, p1_) + d_ / p2_ * e(time, p2_);
        double plain = rc * time - rc * rc * e(time, 1 / rc);
        // OpenSTA takes the derivatives as if the time were the ramp.
        double e1 = e(ramp, p1_), e2 = e(ramp, p2_), e3 = e(ramp, 1 / rc);
        derivatives[0] = 0;
        derivatives[1] = (-a_ * ramp + b_ * ramp * (1 - e1) - 2 * b_ / p1_ * e1 +
                          d_ * ramp * (1 - e2) - 2 * d_ / p2_ * e2 +
                          rc * (ramp + ramp * (1 - e3) - 2 * rc * e3)) /
                         (resistance_ * ramp * ramp * ramp);
        derivatives[2] = (2 * rc - ramp - (2 * rc + ramp) * (1 - e3)) / (ramp * ramp);
        return (pi - plain) / (resistance_ * time * ramp);
    }

    double p1_ = 0, p2_ = 0, a_ = 0, b_ = 0, d_ = 0;

    bool fit_pi() {
        // Poles of the driver's resistance in front of the pi model, and the zero z of the output.
        double c1 = pi_.far, c2 = pi_.near, r = pi_.resistance;
        double a = r * resistance_ * c1 * c2, b = resistance_ * total_ + r * c1;
        double root = std::sqrt(b * b - 4 * a);
        p1_ = (b + root) / (2 * a), p2_ = (b - root) / (2 * a);
        double product = p1_ * p2_, y = total_ / (r * c1 * c2);  // y: zero of the current
        a_ = y / product;
        b_ = (y - p1_) / (p1_ * (p1_ - p2_));
        d_ = (y - p2_) / (p2_ * (p2_ - p1_));
        double x[3] = {0, 0, total_};
        if (!fit(x, 3)) return false;
        double k0 = 1 / (resistance_ * c2), k2 = 1 / (r * c1) / product;
        double k1 = (1 - k2 * (p1_ + p2_)) / product, k4 = (k1 * p1_ + k2) / (p2_ - p1_);
        answer_.offset = k0 * k1;
        answer_.add(k0 * (-k1 - k4), p1_);
        answer_.add(k0 * k4, p2_);
        return true;
    }

    // All capacitance is behind the wires' resistance.
    bool fit_far() {
        double x[3] = {0, 0, pi_.far};
        if (!fit(x, 2)) return false;
        double zero = 1 / (pi_.resistance * pi_.far);
        double pole = 1 / (pi_.far * (resistance_ + pi_.resistance));
        double offset = pole / zero * (pole - zero) / (pole * pole);
        answer_.offset = offset;
        answer_.add(-offset, pole);
        return true;
    }

    // Find when an answer to the ramp crosses a level: Newton's method within bounds, which are
    // halved where it leaves them or is slow. False if it does not cross.
    bool crossing(const Answer& answer, double level, double elmore, double* time) const {
        double behind = (pi_.near < pi_.far * NEGLIGIBLE ? pi_.far : total_);
        double below = start_;
        double above = start_ + ramp_ + 2 * behind * (resistance_ + pi_.resistance) + elmore;
        auto over = [&](double t) { return answer.value(t - start_, ramp_) - level; };
        if (over(below) >= 0 || over(above) <= 0) return false;
        double t = (below + above) / 2, step = above - below, before = step;
        for (int round = 0; round < 20; round++) {
            double y = over(t), slope = answer.slope(t - start_, ramp_);
            if (round) (y < 0 ? below : above) = t;
            bool leaves = ((t - above) * slope - y) * ((t - below) * slope - y) > 0;
            bool is_slow = std::fabs(2 * y) > std::fabs(before * slope);
            before = step;
            if (leaves || is_slow) {
                step = (above - below) / 2;
                t = below + step;
            } else {
                step = y / slope;
                t -= step;
            }
            if (std::fabs(step) <= TOLERANCE * std::fabs(t)) {
                *time = t;
                return true;
            }
        }
        return false;
    }
};

}  // namespace physical
