// What a library's cells can stand for: cells with two outputs for pairs of signals, and gates for
// the complements of gates.

#pragma once

#include <map>

#include "cuts.h"

namespace physical {

// A way to use a cell: which pins get the leaves, inverted or not; which outputs are inverted.
struct Form {
    int kind;
    std::array<int, MOST_LEAVES> pin;
    int inverted;               // bit of each leaf
    std::array<int, 2> out;     // pins of the signals
    std::array<bool, 2> out_inverted;
};

// A gate whose output is the complement of another one's.
struct Complement {
    int kind = -1;
    std::vector<int> pin;  // for each of the other's inputs, the position of the input that gets it
};

class AdderLibrary {
  public:
    explicit AdderLibrary(const Library& library) : library_(library) {
        const auto& kinds = library_.kinds;
        complements_.resize(kinds.size());
        for (int k = 0; k < int(kinds.size()); k++) {
            const Kind& kind = kinds[k];
            if (!kind.logic || kind.family < 0) continue;
            int n = int(kind.inputs.size());
            if (kind.outputs == 2 && (n == 2 || n == 3)) add_forms(k);
            if (kind.outputs == 1) find_complement(k);
            bool inverts = kind.outputs == 1 && n == 1 && kind.pins[kind.output].table & 1;
            if (inverts && (inverter_ < 0 || kind.area < kinds[inverter_].area)) inverter_ = k;
        }
    }

    // By number of leaves and the two functions, each 0 if all leaves are 0.
    using Forms = std::map<std::tuple<int, int, int>, std::vector<Form>>;

    const Forms& forms() const { return forms_; }
    int inverter() const { return inverter_; }  // the smallest one
    const Complement& complement(int kind) const { return complements_[kind]; }

  private:
    static constexpr int MOST_INPUTS = 4;  // of a gate whose complement is looked for

    const Library& library_;
    int inverter_ = -1;
    Forms forms_;
    std::vector<Complement> complements_;

    // Find the smallest gate that has the complement of a kind's function.
    void find_complement(int k) {
        const Kind& own = library_.kinds[k];
        int n = int(own.inputs.size());
        if (n < 2 || n > MOST_INPUTS) return;
        for (int other = 0; other < int(library_.kinds.size()); other++) {
            const Kind& kind = library_.kinds[other];
            if (!kind.logic || kind.family < 0 || kind.outputs != 1 || int(kind.inputs.size()) != n)
                continue;
            int best = complements_[k].kind;
            if (best >= 0 && library_.kinds[best].area <= kind.area) continue;
            std::vector<int> order(kind.inputs);
            do {
                if (!is_complement(own, kind, order)) continue;
                complements_[k] = {other, order};
                break;
            } while (std::next_permutation(order.begin(), order.end()));
        }
    }

    // Row of a kind's truth tables if pin k of `pins` has bit k of a value.
    static int row_of(const Kind& kind, const int* pins, int value) {
        int row = 0;
        for (size_t k = 0; k < kind.inputs.size(); k++) {
            auto at = std::find(kind.inputs.begin(), kind.inputs.end(), pins[k]);
            row |= (value >> k & 1) << (at - kind.inputs.begin());
        }
        return row;
    }

    static bool is_complement(const Kind& own, const Kind& kind, const std::vector<int>& order) {
        for (int value = 0; value < 1 << order.size(); value++) {
            int then = kind.pins[kind.output].table >> row_of(kind, order.data(), value) & 1;
            if (int(own.pins[own.output].table >> value & 1) == then) return false;
        }
        return true;
    }

    void add_forms(int k) {
        const Kind& kind = library_.kinds[k];
        int n = int(kind.inputs.size());
        std::array<int, 2> outs{-1, -1};
        for (int p = 0; p < int(kind.pins.size()); p++)
            if (kind.pins[p].output) outs[outs[0] >= 0] = p;
        std::vector<int> order(kind.inputs);
        std::sort(order.begin(), order.end());
        do {
            for (int inverted = 0; inverted < 1 << n; inverted++) {
                for (int swap : {0, 1}) {
                    Form form{k, {-1, -1, -1}, inverted, {outs[swap], outs[1 - swap]}, {}};
                    std::copy(order.begin(), order.end(), form.pin.begin());
                    int tables[2];
                    for (int o : {0, 1}) {
                        tables[o] = table_of(kind, form, form.out[o], n);
                        form.out_inverted[o] = tables[o] & 1;
                        if (tables[o] & 1) tables[o] ^= (1 << (1 << n)) - 1;
                    }
                    if (tables[0] != tables[1])
                        forms_[{n, tables[0], tables[1]}].push_back(form);
                }
            }
        } while (std::next_permutation(order.begin(), order.end()));
    }

    static int table_of(const Kind& kind, const Form& form, int out, int n) {
        int table = 0;
        for (int value = 0; value < 1 << n; value++) {
            int row = row_of(kind, form.pin.data(), value ^ form.inverted);
            table |= int(kind.pins[out].table >> row & 1) << value;
        }
        return table;
    }
};

}  // namespace physical
