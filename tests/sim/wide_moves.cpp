#include "Dut.h"
#define EXPORT(name) extern "C" __attribute__((visibility("default"))) void wide_##name
void vl_fatal(const char*, int, const char*, const char*) {}
void vl_stop(const char*, int, const char*) {}
void vl_finish(const char*, int, const char*) {}
EXPORT(replicate)(EData* to, int nbits, IData part, IData times) {
    VL_REPLICATE_WII(nbits, to, part, times);
}
EXPORT(shift_left)(EData* to, int nbits, const EData* from, IData by) {
    VL_SHIFTL_WWI(nbits, nbits, 32, to, from, by);
}
EXPORT(shift_right)(EData* to, int nbits, const EData* from, IData by) {
    VL_SHIFTR_WWI(nbits, nbits, 32, to, from, by);
}
EXPORT(select)(EData* to, int nbits, int from_nbits, const EData* from, IData low, IData width) {
    VL_SEL_WWII(nbits, from_nbits, to, from, low, width);
}
EXPORT(concat_word)(EData* to, int nbits, const EData* left, int right_nbits, const EData* right) {
    VL_CONCAT_WWI(nbits + right_nbits, nbits, right_nbits, to, left, right[0]);
}
EXPORT(concat_two)(EData* to, int nbits, const EData* left, int right_nbits, const EData* right) {
    VL_CONCAT_WWQ(nbits + right_nbits, nbits, right_nbits, to, left, VL_SET_QW(right));
}
EXPORT(concat_wide)(EData* to, int nbits, const EData* left, int right_nbits, const EData* right) {
    VL_CONCAT_WWW(nbits + right_nbits, nbits, right_nbits, to, left, right);
}
