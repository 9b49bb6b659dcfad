// Cosine and exponential functions, and cosine transforms, of additions and multiplications alone:
// the last bits of the C library's functions differ between its versions.

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace physical {

constexpr double PI = 3.14159265358979323846;

// cos(x) for 0 <= x <= pi / 2, by its power series: the 14th term is below 1e-17.
inline double cosine(double x) {
    double term = 1, sum = 1;
    for (int k = 2; k <= 26; k += 2) sum += term *= -x * x / (k * (k - 1));
    return sum;
}

// exp(x) for x <= 0, but at least 2^-1000: 2^k exp(r) with |r| <= ln(2) / 2, with a relative error
// below 1e-10.
inline double exponential(double x) {
    double scaled = x * 1.44269504088896340736;
    scaled = scaled > -1000 ? scaled : -1000;
    int64_t k = int32_t(scaled - 0.5);
    double r = (scaled - double(int32_t(k))) * 0.693147180559945309417;
    double e = 1 + r * (1 + r * (1. / 2 + r * (1. / 6 + r * (1. / 24 + r * (1. / 120 +
               r * (1. / 720 + r * (1. / 5040 + r * (1. / 40320))))))));
    uint64_t bits = uint64_t(k + 1023) << 52;
    double power;
    std::memcpy(&power, &bits, sizeof power);
    return e * power;
}

// Cosine transforms along the first axis of an array with `size` rows, all columns at once:
// X[k] = sum over n of x[n] cos(pi k (2 n + 1) / (2 size)), by a complex Fourier transform of equal
// length (Makhoul, "A fast cosine transform in one and two dimensions", 1980). Column j of the left
// half is the real part of a sequence, column j of the right half the imaginary part. The size is a
// power of two, and the number of columns is even.
class Cosines {
  public:
    explicit Cosines(int size) : size_(size), turn_(size) {
        for (int k = 0; k < size; k++) turn_[k] = cosine(PI * k / (2 * size));
    }

    // Replace each column by its transform.
    void forward(double* a, int columns) {
        shuffle(a, columns, true);
        fourier(a, columns, 1);
        int half = columns / 2;
        for (int k = 0; k <= size_ / 2; k++) {
            int other = (size_ - k) % size_;
            double c = cos(k) / 2, s = cos(size_ - k) / 2;
            double *p = a + k * columns, *q = p + half, *r = a + other * columns, *t = r + half;
            for (int j = 0; j < half; j++) {
                double re = p[j] + r[j], im = q[j] - t[j], re2 = q[j] + t[j], im2 = r[j] - p[j];
                p[j] = c * re + s * im, q[j] = c * re2 + s * im2;
                if (k && k < size_ / 2) r[j] = s * re - c * im, t[j] = s * re2 - c * im2;
            }
        }
    }

    // The inverse: x[n] = (2 X[0] / 2 + 2 sum over k > 0 of X[k] cos(...)) / size.
    void inverse(double* a, int columns) {
        int half = columns / 2;
        for (int k = 1; k <= size_ / 2; k++) {
            int other = size_ - k;
            double c = cos(k), s = cos(other);
            double *p = a + k * columns, *q = p + half, *r = a + other * columns, *t = r + half;
            for (int j = 0; j < half; j++) {
                double re = c * p[j] + s * r[j], im = s * p[j] - c * r[j];
                double re2 = c * q[j] + s * t[j], im2 = s * q[j] - c * t[j];
                p[j] = re - im2, q[j] = im + re2;
                if (k < size_ / 2) r[j] = re + im2, t[j] = re2 - im;
            }
        }
        fourier(a, columns, -1);
        double scale = 1.0 / size_;
        for (int i = 0; i < size_ * columns; i++) a[i] *= scale;
        shuffle(a, columns, false);
    }

    // The same with sines: sin(pi k (2 n + 1) / (2 size)) = (-1)^n cos of the row `size` - k.
    void inverse_sines(double* a, int columns) {
        std::fill(a, a + columns, 0.0);
        for (int k = 1; k < size_ - k; k++)
            std::swap_ranges(a + k * columns, a + (k + 1) * columns, a + (size_ - k) * columns);
        inverse(a, columns);
        for (int n = 1; n < size_; n += 2)
            for (int j = 0; j < columns; j++) a[n * columns + j] *= -1;
    }

  private:
    int size_;
    std::vector<double> turn_, rows_;

    double cos(int k) const { return k == size_ ? 0 : turn_[k]; }

    // Even rows first, then odd ones from the last on; or back.
    void shuffle(double* a, int columns, bool forth) {
        rows_.assign(a, a + size_ * columns);
        for (int k = 0; k < size_; k++) {
            int n = 2 * k < size_ ? 2 * k : 2 * (size_ - k) - 1;
            int from = forth ? n : k, to = forth ? k : n;
            std::copy_n(rows_.data() + from * columns, columns, a + to * columns);
        }
    }

    // Complex Fourier transform along the first axis; sign -1: the inverse, times the size.
    void fourier(double* a, int columns, int sign) {
        for (int i = 1, j = 0; i < size_; i++) {
            int bit = size_ >> 1;
            for (; j & bit; bit >>= 1) j ^= bit;
            j ^= bit;
            if (i < j) std::swap_ranges(a + i * columns, a + (i + 1) * columns, a + j * columns);
        }
        int half = columns / 2;
        for (int span = 1; span < size_; span *= 2) {
            for (int k = 0; k < span; k++) {
                // exp(-i pi k / span), from the table of a quarter turn with steps of pi / (2 size)
                int at = k * (2 * size_ / span);
                bool beyond = at > size_;
                double c = beyond ? -cos(2 * size_ - at) : cos(at);
                double s = -sign * cos(beyond ? at - size_ : size_ - at);
                for (int i = k; i < size_; i += 2 * span) {
                    double *p = a + i * columns, *q = p + half, *r = p + span * columns, *t = r + half;
                    for (int j = 0; j < half; j++) {
                        double re = c * r[j] - s * t[j], im = c * t[j] + s * r[j];
                        r[j] = p[j] - re, t[j] = q[j] - im;
                        p[j] += re, q[j] += im;
                    }
                }
            }
        }
    }
};

}  // namespace physical
