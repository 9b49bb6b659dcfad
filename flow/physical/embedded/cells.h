// The cell library as the embedded tool sees it: pins, tables, arcs, checks, families of sizes.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "records.h"

namespace physical {

enum Edge { RISE, FALL };

constexpr int POINTS = 7;  // largest number of points of a table's axis

// A table over two axes, interpolated and extrapolated linearly.
struct Table {
    int rows = 0, columns = 0;
    float first[POINTS], second[POINTS], values[POINTS][POINTS];

    explicit Table(const double* packed) {
        rows = int(packed[0]);
        columns = int(packed[1]);
        for (int i = 0; i < POINTS; i++) {
            first[i] = float(packed[2 + i]);
            second[i] = float(packed[2 + POINTS + i]);
            for (int j = 0; j < POINTS; j++)
                values[i][j] = float(packed[2 + 2 * POINTS + i * POINTS + j]);
        }
    }

    float at(float a, float b) const {
        int row = segment(first, rows, a), column = segment(second, columns, b);
        int row2 = std::min(row + 1, rows - 1), column2 = std::min(column + 1, columns - 1);
        float u = row2 > row ? (a - first[row]) / (first[row2] - first[row]) : 0;
        float v = column2 > column ? (b - second[column]) / (second[column2] - second[column]) : 0;
        float low = values[row][column] + v * (values[row][column2] - values[row][column]);
        float high = values[row2][column] + v * (values[row2][column2] - values[row2][column]);
        return low + u * (high - low);
    }

  private:
    static int segment(const float* axis, int count, float value) {
        int index = 0;
        while (index < count - 2 && value >= axis[index + 1]) index++;
        return index;
    }
};

struct Arc {
    int source, target;  // positions among the kind's pins
    int sense;           // bit 0: the output follows, bit 1: it inverts
    bool launch;         // a clock's rising edge causes both edges of the output
    int late[4], early[4];  // tables: delay of rise and fall, slew of rise and fall; -1: none

    // Whether an edge of the source can cause an edge of the target.
    bool causes(int in, int out) const {
        if (late[out] < 0) return false;
        if (launch) return in == RISE;
        return sense & (in == out ? 1 : 2);
    }
};

struct Check {
    int data, clock;
    bool hold;
    int tables[2];
};

struct KindPin {
    bool output;
    int x, y;
    float capacitance[2], limit;  // fF; limit: largest load of an output
    uint64_t table;  // of an output of `logic`: bit for each value of the inputs
    int complement;  // position of the output that has the complement of a flip-flop's; -1: none
    float early[2];  // capacitance for early edges, fF
};

enum Role { PLAIN = 0, REGISTER = 1, GATE = 2, BUFFER = 4, CLOCK_BUFFER = 8, INPUT = 16,
            OUTPUT = 32, DELAY = 64 };

struct Kind {
    int width, height, role, family, clock_pin;
    bool logic;              // the outputs are known functions of at most six inputs
    double area;
    int outputs = 0, output = -1;  // number of outputs, and the last one's position
    std::vector<int> inputs;       // positions; input k is bit k of a value
    std::vector<KindPin> pins;
    std::vector<Arc> arcs;
    std::vector<Check> checks;
};

// Sizes of one function in a family are interchangeable: same pins in the same order.
struct Library {
    std::vector<Kind> kinds;
    std::vector<Table> tables;
    std::vector<std::vector<int>> families;  // kinds by rising area
    std::vector<int> buffers, clock_buffers;
    std::vector<int> delays;  // buffers that only delay, for hold
    int driving_kind;       // cell that drives inputs
    float port_load, max_slew;
    bool ranged = false;  // capacitances are ranges: early edges have smaller loads than late ones
    float slew_of_rc;  // slew of a step behind a resistance and a capacitance, in their product

    explicit Library(const LibraryArrays& a) {
        driving_kind = a.driving_kind;
        port_load = float(a.port_load_ff);
        max_slew = float(a.max_slew_ns);
        slew_of_rc = float(a.slew_of_rc);
        constexpr int packed = 2 + 2 * POINTS + POINTS * POINTS;
        for (int i = 0; i < a.table_count; i++) tables.emplace_back(a.tables + i * packed);
        kinds.resize(a.kind_count);
        for (int k = 0; k < a.kind_count; k++) {
            Kind& kind = kinds[k];
            const int32_t* about = a.kind_rows + 6 * k;
            kind.width = about[0], kind.height = about[1], kind.role = about[2];
            kind.family = about[3], kind.clock_pin = about[4];
            kind.logic = about[5] != 0;
            kind.area = a.kind_areas[k];
            for (int p = a.pin_start[k]; p < a.pin_start[k + 1]; p++) {
                const int32_t* row = a.pin_rows + 4 * p;
                const double* load = a.pin_loads + 5 * p;
                kind.pins.push_back({row[0] != 0, row[1], row[2],
                                     {float(load[0]), float(load[1])}, float(load[2]),
                                     a.pin_tables[p], row[3],
                                     {float(load[3]), float(load[4])}});
                ranged |= load[3] != load[0] || load[4] != load[1];
                int at = p - a.pin_start[k];
                if (row[0]) kind.outputs++, kind.output = at;
                else kind.inputs.push_back(at);
            }
            for (int i = a.arc_start[k]; i < a.arc_start[k + 1]; i++) {
                const int32_t* r = a.arc_rows + 12 * i;
                kind.arcs.push_back({r[0], r[1], r[2], r[3] != 0, {r[4], r[5], r[6], r[7]},
                                     {r[8], r[9], r[10], r[11]}});
            }
            for (int i = a.check_start[k]; i < a.check_start[k + 1]; i++) {
                const int32_t* r = a.check_rows + 5 * i;
                kind.checks.push_back({r[0], r[1], r[2] != 0, {r[3], r[4]}});
            }
            if (kind.family >= 0) {
                if (kind.family >= int(families.size())) families.resize(kind.family + 1);
                families[kind.family].push_back(k);
            }
            if (kind.role & BUFFER) buffers.push_back(k);
            if (kind.role & CLOCK_BUFFER) clock_buffers.push_back(k);
            if (kind.role & DELAY) delays.push_back(k);
        }
        auto smaller = [&](int a, int b) { return kinds[a].area < kinds[b].area; };
        for (auto* list : {&buffers, &clock_buffers, &delays})
            std::stable_sort(list->begin(), list->end(), smaller);
        for (auto& family : families) std::stable_sort(family.begin(), family.end(), smaller);
    }

    float look(int table, float a, float b) const { return tables[table].at(a, b); }
};

}  // namespace physical
