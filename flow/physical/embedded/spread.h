// Global placement: cells spread over the core by electrostatics while wires stay short.
//
// Minimizes the smooth length of the nets plus lambda times the energy of the cells' charge, by
// Nesterov's method with a predicted step (ePlace, see electrostatics.h). lambda grows while wires
// grow little, as in RePlAce (Cheng et al., IEEE TCAD 2019), and the nets become less smooth as the
// overflow falls. Fillers take the space that cells leave, so that cells may lie close together.

#pragma once

#include <random>

#include "clusters.h"
#include "electrostatics.h"
#include "weights.h"
#include "wirelength.h"

namespace physical {

class Spread {
  public:
    // space: of each instance over its area. For the first time, ports draw nothing, so that they
    // can follow the cells; later, cells start where they are, and slow nets get more weight.
    Spread(Timer& timer, const RowArrays& rows, const PlaceOptions& options, const double* space)
        : timer_(timer), netlist_(timer.netlist), options_(options), width_(double(rows.sites * rows.site_width)),
          height_(double(rows.rows * rows.row_height)), draw_(uint64_t(options.seed)),
          field_(make_field(rows)) {
        add_cells(space);
        for (int64_t i = 0; i < rows.fixed; i++)
            field_.add_fixed(rows.fixed_x[i], rows.fixed_y[i], rows.fixed_width[i],
                             double(rows.row_height));
        add_fillers();
        add_nets();
        field_.set_sizes(widths_, heights_);
    }

    // Place all cells; their places may still overlap.
    void run() {
        descend();
        write();
    }

  private:
    void write() {
        for (size_t i = 0; i < cells_.size(); i++) {
            const Kind& k = netlist_.cell(cells_[i]);
            double x = place_[i] - k.width / 2.0, y = place_[count() + i] - k.height / 2.0;
            netlist_.x[cells_[i]] = int(std::clamp(x, 0.0, width_ - k.width) + 0.5);
            netlist_.y[cells_[i]] = int(std::clamp(y, 0.0, height_ - k.height) + 0.5);
            netlist_.moved(cells_[i]);
        }
    }

    static constexpr int MOST_ITERATIONS = 1000;
    static constexpr double LEAST_OVERFLOW = 0.07;   // of the cells' area, at which placement ends
    static constexpr double FIRST_LAMBDA = 1e-3;     // of the ratio of both gradients
    static constexpr double NEXT_LAMBDA = 0.3;       // of this ratio, if cells start where they are
    static constexpr double TIMED_OVERFLOW = 0.8;    // below which weights follow the slacks
    static constexpr int TIMED_EVERY = 10;           // iterations
    static constexpr int LEAF_PINS = 32;             // registers behind a leaf of the clock tree,
    static constexpr double LEAF_FF = 45;            // and its load, as in session.py; most
    static constexpr double GROWTH = 1.05;           // of lambda, most
    static constexpr double WIRE_STEP = 0.0035;      // growth of the wires at which lambda stays
    static constexpr double MOST_JUMP = 0.1;         // of the wires, above which a step is too long

    Timer& timer_;
    Netlist& netlist_;
    const PlaceOptions& options_;
    double width_, height_;
    std::mt19937_64 draw_;
    Electrostatics field_;
    std::vector<int> cells_;                   // instances
    std::vector<int> number_;                  // of each instance among the cells, or -1
    std::vector<double> widths_, heights_;     // of cells with their space, then of fillers
    std::vector<double> pull_;                 // weights of the nets at each cell
    std::vector<double> place_;                // centres: all x, then all y
    SmoothNets across_, up_;
    std::vector<int> net_;                     // of the netlist; -1: registers of a leaf
    double lambda_ = -1, smooth_ = 0, overflow_ = 1, length_ = 0, area_ = 0;

    size_t count() const { return widths_.size(); }

    // A number from 0 to 1.
    double draw() { return double(draw_() >> 11) / 9007199254740992.0; }

    // About as many bins as cells.
    Electrostatics make_field(const RowArrays&) {
        int64_t cells = 0;
        for (int i = 0; i < netlist_.count(); i++) cells += is_cell(i);
        int side = 16;
        while (side < 512 && 2 * int64_t(side) * side < cells) side *= 2;
        return {width_, height_, side, side};
    }

    bool is_cell(int i) const { return netlist_.kind[i] >= 0 && netlist_.cell(i).width > 0; }

    void add_cells(const double* space) {
        for (int i = 0; i < netlist_.count(); i++) {
            if (!is_cell(i)) continue;
            const Kind& k = netlist_.cell(i);
            cells_.push_back(i);
            widths_.push_back(k.width * std::max(space[i], 1.0));
            heights_.push_back(k.height);
            area_ += widths_.back() * heights_.back();
        }
    }

    void add_fillers() {
        std::vector<double> sorted(widths_);
        std::sort(sorted.begin(), sorted.end());
        size_t first = sorted.size() / 10, last = sorted.size() - first;
        double width = 0;
        for (size_t i = first; i < last; i++) width += sorted[i] / double(last - first);
        double height = heights_.empty() ? 1 : heights_[0];
        double free = width_ * height_ - field_.fixed_area() - area_;
        int64_t fillers = free > 0 && width > 0 ? int64_t(free / (width * height)) : 0;
        widths_.resize(cells_.size() + size_t(fillers), width);
        heights_.resize(widths_.size(), height);
    }

    void add_nets() {
        std::vector<double> weights(netlist_.nets.size(), 1.0);
        // Tie cells have other flip-flops once there are places.
        for (size_t n = 0; n < weights.size(); n++)
            if (netlist_.is_tie(int(n))) weights[n] = 0;
        if (!options_.is_first) {
            timer_.run(float(options_.period_ns));
            weights = net_weights(timer_);
        }
        number_.assign(netlist_.count(), -1);
        for (size_t i = 0; i < cells_.size(); i++) number_[cells_[i]] = int(i);
        for (size_t n = 0; n < netlist_.nets.size(); n++) {
            if (netlist_.nets[n].clock && !options_.is_first) add_leaves(netlist_.nets[n]);
            else add_net(netlist_.nets[n].pins, weights[n], int(n));
        }
        up_.cell = across_.cell, up_.start = across_.start, up_.weight = across_.weight;
        add_pull();
    }

    void add_net(const std::vector<int>& pins, double weight, int net) {
        size_t before = across_.cell.size();
        for (int pin : pins) {
            int own = netlist_.pin_instance[pin], cell = number_[own];
            if (cell < 0 && options_.is_first) continue;
            auto [x, y] = netlist_.place(pin);
            const Kind& k = netlist_.cell(own);
            across_.cell.push_back(cell);
            across_.offset.push_back(cell < 0 ? x : x - netlist_.x[own] - k.width / 2.0);
            up_.offset.push_back(cell < 0 ? y : 0);
        }
        if (across_.cell.size() - before < 2) {
            across_.cell.resize(before);
            across_.offset.resize(before);
            up_.offset.resize(before);
            return;
        }
        across_.start.push_back(int(across_.cell.size()));
        across_.weight.push_back(weight);
        net_.push_back(net);
    }

    // Instead of a net of the clock: a net for the registers of each leaf that the clock tree would
    // have, with their gate if that is the only one.
    void add_leaves(const Net& net) {
        std::vector<int> registers;
        for (int pin : net.pins)
            if (netlist_.is(netlist_.pin_instance[pin], REGISTER)) registers.push_back(pin);
        auto leaves = Clusters(netlist_, LEAF_PINS, LEAF_FF, netlist_.wiring.clock_ff_per_um).of(registers);
        if (leaves.size() == 1) leaves[0].push_back(net.pins[0]);
        for (const auto& leaf : leaves) add_net(leaf, 1, -1);
    }

    void clip(std::vector<double>& z) const {
        for (size_t i = 0; i < count(); i++) {
            double w = std::min(widths_[i], width_) / 2, h = std::min(heights_[i], height_) / 2;
            z[i] = std::clamp(z[i], w, width_ - w);
            z[count() + i] = std::clamp(z[count() + i], h, height_ - h);
        }
    }

    // Gradient at z, divided by an estimate of the second derivative: that of the wires is about
    // pins / g, that of the charge lambda times the area.
    void find_gradient(const std::vector<double>& z, std::vector<double>& gradient) {
        size_t n = count();
        gradient.assign(2 * n, 0);
        length_ = across_.add_gradient(z.data(), smooth_, gradient.data());
        length_ += up_.add_gradient(z.data() + n, smooth_ * height_ / width_, gradient.data() + n);
        field_.evaluate(z.data(), z.data() + n, cells_.size());
        overflow_ = field_.overflow / area_;
        if (lambda_ < 0) {
            double wires = 0, charge = 0;
            for (double value : gradient) wires += std::fabs(value);
            for (size_t i = 0; i < n; i++)
                charge += std::fabs(field_.force_x[i]) + std::fabs(field_.force_y[i]);
            lambda_ = charge > 0 ? (options_.is_first ? FIRST_LAMBDA : NEXT_LAMBDA) * wires / charge : 0;
        }
        double sharp = std::min(smooth_, 2 * field_.bin_width);
        for (size_t i = 0; i < n; i++) {
            double scale = std::max(pull_[i] / sharp + lambda_ * widths_[i] * heights_[i], 1e-30);
            gradient[i] = (gradient[i] - lambda_ * field_.force_x[i]) / scale;
            gradient[n + i] = (gradient[n + i] - lambda_ * field_.force_y[i]) / scale;
        }
    }

    static double distance(const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (size_t i = 0; i < a.size(); i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
        return std::sqrt(sum);
    }

    // ePlace: 8 bins at an overflow of 1, and a tenth for each 45 % of overflow less.
    void set_smoothness() {
        double power = (20 * std::clamp(overflow_, 0.0, 1.0) - 11) / 9;
        double factor = power > 0 ? 1 / exponential(-2.302585092994046 * power)
                                  : exponential(2.302585092994046 * power);
        smooth_ = 8 * field_.bin_width * factor;
    }

    // Time the netlist at its present places, and move the weights of the nets half way to those
    // that its slacks give.
    void renew_weights() {
        write();
        timer_.run(float(options_.period_ns));
        std::vector<double> found = net_weights(timer_);
        for (size_t k = 0; k < net_.size(); k++)
            if (net_[k] >= 0) across_.weight[k] = (across_.weight[k] + found[net_[k]]) / 2;
        up_.weight = across_.weight;
        add_pull();
    }

    void add_pull() {
        pull_.assign(count(), 0);
        for (size_t k = 0; k < net_.size(); k++)
            for (int i = across_.start[k]; i < across_.start[k + 1]; i++)
                if (across_.cell[i] >= 0) pull_[across_.cell[i]] += across_.weight[k];
    }

    // First places: cells where they are, or in the middle; fillers anywhere.
    void start() {
        size_t n = count();
        place_.resize(2 * n);
        for (size_t i = 0; i < n; i++) {
            bool is_cell = i < cells_.size();
            double share = is_cell ? 0.02 : 1;
            place_[i] = width_ * (0.5 + share * (draw() - 0.5));
            place_[n + i] = height_ * (0.5 + share * (draw() - 0.5));
            if (!is_cell || options_.is_first) continue;
            const Kind& k = netlist_.cell(cells_[i]);
            place_[i] = netlist_.x[cells_[i]] + k.width / 2.0;
            place_[n + i] = netlist_.y[cells_[i]] + k.height / 2.0;
        }
        clip(place_);
    }

    void descend() {
        start();
        set_smoothness();
        size_t n = 2 * count();
        std::vector<double> u = place_, v = place_, g, u1(n), v1(n), g1;
        find_gradient(v, g);
        double most = 1e-30;
        for (double value : g) most = std::max(most, std::fabs(value));
        for (size_t i = 0; i < n; i++) v1[i] = v[i] - 0.1 * field_.bin_width / most * g[i];
        clip(v1);
        find_gradient(v1, g1);
        double step = distance(v, v1) / std::max(distance(g, g1), 1e-30), a = 1, last = -1;
        double expected = 3 * std::sqrt(width_ * height_ * double(cells_.size()));
        for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
            double a1 = a;
            for (int back = 0;; back++) {
                a1 = (1 + std::sqrt(4 * a * a + 1)) / 2;
                for (size_t i = 0; i < n; i++) u1[i] = v[i] - step * g[i];
                clip(u1);
                for (size_t i = 0; i < n; i++) v1[i] = u1[i] + (a - 1) / a1 * (u1[i] - u[i]);
                clip(v1);
                find_gradient(v1, g1);
                double next = distance(v, v1) / std::max(distance(g, g1), 1e-30);
                bool jumps = last >= 0 && length_ - last > MOST_JUMP * std::max(last, expected);
                bool keeps = (!jumps && next > 0.95 * step) || back == 9;
                step = jumps ? 0.5 * std::min(step, next) : next;
                if (jumps) a = 1;
                if (keeps) break;
            }
            u.swap(u1), v.swap(v1), g.swap(g1);
            a = a1;
            set_smoothness();
            if (last >= 0) {
                double grown = (length_ - last) / (WIRE_STEP * std::max(length_, expected));
                double log_growth = 0.04879016416943200;  // ln(GROWTH)
                double factor = grown > 0 ? GROWTH * exponential(-log_growth * grown) : GROWTH;
                lambda_ *= std::clamp(factor, 0.95, GROWTH);
            }
            last = length_;
            if (!options_.is_first && overflow_ < TIMED_OVERFLOW && iteration % TIMED_EVERY == 0) {
                place_ = u;
                renew_weights();
                last = -1;
            }
            if (overflow_ < LEAST_OVERFLOW && iteration > 30) break;
        }
        place_ = u;
    }
};

}  // namespace physical
