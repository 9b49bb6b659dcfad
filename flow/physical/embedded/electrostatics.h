// Density of rectangles on a grid of bins as an electric charge, and the field of this charge.
//
// The field pushes cells from dense places to empty ones (Lu et al., "ePlace: Electrostatics based
// placement using fast Fourier transform and Nesterov's method", ACM TODAES 2015). With the density
// rho(x, y) = sum of a_uv cos(u x) cos(v y), the potential with div grad psi = -rho has the
// coefficients a_uv / (u^2 + v^2), and the field -grad psi is
//     E_x = sum of a_uv u / (u^2 + v^2) sin(u x) cos(v y), and E_y with u and v exchanged.

#pragma once

#include <algorithm>
#include <vector>

#include "fourier.h"

namespace physical {

class Electrostatics {
  public:
    const double bin_width, bin_height;
    std::vector<double> force_x, force_y;  // on each rectangle: its area times the field
    double overflow = 0;  // area of the cells, of the first ones, that lies above a density of 1

    // A region from (0, 0) on with bins across and up, both powers of two.
    Electrostatics(double width, double height, int across, int up)
        : bin_width(width / across), bin_height(height / up), across_(across), up_(up), cos_x_(across),
          cos_y_(up), fixed_(across * up, 0.0) {}

    // A fixed rectangle, which keeps its shape.
    void add_fixed(double x, double y, double width, double height) {
        visit({x, x + width, y, y + height, 1}, [&](int bin, double area) { fixed_[bin] += area; });
    }

    // Rectangles that move. One that is narrower than sqrt(2) bins gets that width, and less charge
    // for its area, so that its force changes smoothly.
    void set_sizes(const std::vector<double>& widths, const std::vector<double>& heights) {
        size_t count = widths.size();
        width_.resize(count), height_.resize(count), charge_.resize(count);
        for (size_t i = 0; i < count; i++) {
            width_[i] = std::max(widths[i], ROOT_2 * bin_width);
            height_[i] = std::max(heights[i], ROOT_2 * bin_height);
            charge_[i] = widths[i] * heights[i] / (width_[i] * height_[i]);
        }
        force_x.resize(count), force_y.resize(count);
    }

    // Find overflow and forces. The first rectangles are cells, the others only fill the rest.
    void evaluate(const double* x, const double* y, size_t cells) {
        double bin_area = bin_width * bin_height;
        std::vector<double>& density = density_;
        density = fixed_;
        auto add = [&](int bin, double area) { density[bin] += area; };
        for (size_t i = 0; i < cells; i++) visit(rectangle(i, x, y), add);
        overflow = 0;
        for (double area : density) overflow += std::max(area - bin_area, 0.0);
        for (size_t i = cells; i < width_.size(); i++) visit(rectangle(i, x, y), add);
        for (double& value : density) value /= bin_area;
        find_field();
        for (size_t i = 0; i < width_.size(); i++) {
            double fx = 0, fy = 0;
            visit(rectangle(i, x, y), [&](int bin, double area) {
                fx += area * field_x_[bin];
                fy += area * field_y_[bin];
            });
            force_x[i] = fx, force_y[i] = fy;
        }
    }

    double fixed_area() const {
        double sum = 0;
        for (double area : fixed_) sum += area;
        return sum;
    }

  private:
    static constexpr double ROOT_2 = 1.41421356237309504880;

    struct Rectangle {
        double x0, x1, y0, y1, charge;
    };

    int across_, up_;
    Cosines cos_x_, cos_y_;
    std::vector<double> fixed_, density_, field_x_, field_y_, turned_;
    std::vector<double> width_, height_, charge_;

    Rectangle rectangle(size_t i, const double* x, const double* y) const {
        return {x[i] - width_[i] / 2, x[i] + width_[i] / 2, y[i] - height_[i] / 2,
                y[i] + height_[i] / 2, charge_[i]};
    }

    // Call with each bin that a rectangle overlaps, and the area of the overlap times the charge.
    template <typename Call>
    void visit(const Rectangle& r, Call&& call) const {
        int left = std::clamp(int(r.x0 / bin_width), 0, across_ - 1);
        int right = std::clamp(int(r.x1 / bin_width), 0, across_ - 1);
        int low = std::clamp(int(r.y0 / bin_height), 0, up_ - 1);
        int high = std::clamp(int(r.y1 / bin_height), 0, up_ - 1);
        for (int i = left; i <= right; i++) {
            double w = std::min(r.x1, (i + 1) * bin_width) - std::max(r.x0, i * bin_width);
            w *= r.charge;
            for (int j = low; j <= high; j++) {
                double h = std::min(r.y1, (j + 1) * bin_height) - std::max(r.y0, j * bin_height);
                call(i * up_ + j, w * h);
            }
        }
    }

    void find_field() {
        cos_x_.forward(density_.data(), up_);
        transpose(density_, turned_, across_, up_);
        cos_y_.forward(turned_.data(), across_);
        field_x_.resize(turned_.size()), density_.resize(turned_.size());
        for (int j = 0; j < up_; j++) {
            for (int i = 0; i < across_; i++) {
                double u = PI * i / (across_ * bin_width), v = PI * j / (up_ * bin_height);
                double a = i || j ? turned_[j * across_ + i] / (u * u + v * v) : 0;
                turned_[j * across_ + i] = a * u;
                density_[j * across_ + i] = a * v;
            }
        }
        cos_y_.inverse(turned_.data(), across_);
        transpose(turned_, field_x_, up_, across_);
        cos_x_.inverse_sines(field_x_.data(), up_);
        cos_y_.inverse_sines(density_.data(), across_);
        transpose(density_, field_y_, up_, across_);
        cos_x_.inverse(field_y_.data(), up_);
    }

    static void transpose(const std::vector<double>& from, std::vector<double>& to, int rows,
                          int columns) {
        to.resize(from.size());
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) to[j * rows + i] = from[i * columns + j];
    }
};

}  // namespace physical
