// Smooth length of nets and its gradient, for placement.
//
// The width of a net's box is smoothed by weighted averages (Hsu, Chang and Balabanov, "TSV-aware
// analytical placement for 3-D IC designs", DAC 2011):
//     sum of x e^(x / g) / sum of e^(x / g) - sum of x e^(-x / g) / sum of e^(-x / g).

#pragma once

#include "fourier.h"
#include "netlist.h"

namespace physical {

// Nets along one axis: pins lie at a distance from the centres of cells, or are fixed.
struct SmoothNets {
    std::vector<int> start{0};      // first pin of each net
    std::vector<int> cell;          // of each pin; -1: fixed
    std::vector<double> offset;     // from the cell's centre, or place if fixed
    std::vector<double> weight;     // of each net

    // Length of the nets with smoothness g; adds the gradient by each cell's place to `gradient`,
    // and returns the exact length.
    double add_gradient(const double* place, double g, double* gradient) {
        size_t pins = cell.size();
        at_.resize(pins), upper_.resize(pins), lower_.resize(pins);
        for (size_t i = 0; i < pins; i++) at_[i] = offset[i] + (cell[i] < 0 ? 0 : place[cell[i]]);
        double length = 0;
        for (size_t n = 0; n + 1 < start.size(); n++) {
            double low = at_[start[n]], high = low;
            for (int i = start[n] + 1; i < start[n + 1]; i++)
                low = std::min(low, at_[i]), high = std::max(high, at_[i]);
            length += weight[n] * (high - low);
            for (int i = start[n]; i < start[n + 1]; i++)
                upper_[i] = (at_[i] - high) / g, lower_[i] = (low - at_[i]) / g;
        }
        for (double& value : upper_) value = exponential(value);
        for (double& value : lower_) value = exponential(value);
        for (size_t n = 0; n + 1 < start.size(); n++) {
            double a = 0, b = 0, ax = 0, bx = 0;
            for (int i = start[n]; i < start[n + 1]; i++) {
                a += upper_[i], ax += at_[i] * upper_[i];
                b += lower_[i], bx += at_[i] * lower_[i];
            }
            double high = ax / a, low = bx / b, per_a = weight[n] / a, per_b = weight[n] / b;
            for (int i = start[n]; i < start[n + 1]; i++)
                if (cell[i] >= 0)
                    gradient[cell[i]] += per_a * upper_[i] * (1 + (at_[i] - high) / g) -
                                         per_b * lower_[i] * (1 - (at_[i] - low) / g);
        }
        return length;
    }

  private:
    std::vector<double> at_, upper_, lower_;
};

}  // namespace physical
