"""TableRead: reads one entry of a table by a circuit that reads all entries."""

from pymtl3 import Component, InPort, OutPort, Wire, mk_bits, update


class TableRead(Component):
    """Selects an entry by its index: OR of all entries, each masked unless it is selected.

    Every entry takes the same path, independent of the index.

    Parameters
    ----------
    nbits : int; width of an entry in bits
    first, last : int; indices of the first and of the last entry
    index_nbits : int; width of an index

    Ports
    -----
    entries : in, nbits bits each; from index ``first`` on
    index : in, index_nbits bits
    value : out, nbits bits; 0 for an index without an entry

    Combinational.
    """

    def construct(s, nbits, first, last, index_nbits):
        count = last - first + 1
        Value = mk_bits(nbits)
        s.entries = [InPort(Value) for _ in range(count)]
        s.index = InPort(index_nbits)
        s.value = OutPort(Value)
        s.masked = [Wire(Value) for _ in range(count)]

        @update
        def comb_masked():
            for i in range(count):
                s.masked[i] @= 0
                if s.index == i + first:
                    s.masked[i] @= s.entries[i]

        @update
        def comb_value():
            s.value @= 0
            for i in range(count):
                s.value @= s.value | s.masked[i]
