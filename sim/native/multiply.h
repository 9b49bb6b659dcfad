// A faster replacement for Verilator's product of wide values.
//
// The time of Verilator's product grows with the third power of the width, and it is evaluated in
// every cycle: 4 ms for 4096-bit operands, which rarely change. The product here looks its operands
// up among the last products of the thread. Every compiled file includes this header first.

#define VL_MUL_W VL_MUL_W_as_it_comes
#include "verilated.h"
#undef VL_MUL_W

#include <cstring>
#include <vector>

namespace wide {

using Limbs = std::vector<QData>;

inline void load(Limbs& limbs, WDataInP from, int words) {
    limbs.assign((words + 1) / 2, 0);
    std::memcpy(limbs.data(), from, words * sizeof *from);
    while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
}

struct Product {
    Limbs left, right, product;

    bool is_of(const Limbs& a, const Limbs& b, size_t size) const {
        return product.size() == size && left == a && right == b;
    }

    // The lowest ``size`` limbs of a * b.
    void form(const Limbs& a, const Limbs& b, size_t size) {
        __extension__ using Twice = unsigned __int128;
        left = a;
        right = b;
        product.assign(size, 0);
        for (size_t i = 0; i < a.size(); ++i) {
            const QData factor = a[i];
            const size_t count = b.size() < size - i ? b.size() : size - i;
            QData* const to = product.data() + i;
            QData carry = 0;
            for (size_t k = 0; k < count; ++k) {
                const Twice sum = static_cast<Twice>(factor) * b[k] + to[k] + carry;
                to[k] = static_cast<QData>(sum);
                carry = static_cast<QData>(sum >> 64);
            }
            if (i + count < size) to[count] = carry;
        }
    }
};

// The last products of a thread. SIZE is above the number of wide products in any circuit.
struct Memory {
    static constexpr int SIZE = 8;
    Product products[SIZE];
    Limbs left, right;
    int oldest = 0;
};

inline Memory& memory() {
    thread_local Memory kept;
    return kept;
}

}  // namespace wide

// The lowest ``words`` words of a product; bits of the last word beyond the width are undefined.
inline WDataOutP VL_MUL_W(int words, WDataOutP result, WDataInP left, WDataInP right) {
    wide::Memory& memory = wide::memory();
    wide::load(memory.left, left, words);
    wide::load(memory.right, right, words);
    const size_t size = (words + 1) / 2;
    const wide::Product* found = nullptr;
    for (const wide::Product& product : memory.products)
        if (product.is_of(memory.left, memory.right, size)) found = &product;
    if (!found) {
        wide::Product& oldest = memory.products[memory.oldest];
        memory.oldest = (memory.oldest + 1) % wide::Memory::SIZE;
        oldest.form(memory.left, memory.right, size);
        found = &oldest;
    }
    std::memcpy(result, found->product.data(), words * sizeof *result);
    return result;
}
