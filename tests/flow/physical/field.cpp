#include "electrostatics.h"
extern "C" void field(int side, double x, double y, double size, double* force) {
    physical::Electrostatics field(side, 2 * side, side, side);
    field.add_fixed(1, 3, 2, 5);
    field.set_sizes({size}, {size});
    field.evaluate(&x, &y, 1);
    force[0] = field.force_x[0], force[1] = field.force_y[0], force[2] = field.overflow;
}
extern "C" double power(double x) { return physical::exponential(x); }
