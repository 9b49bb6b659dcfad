"""Confirmation: the outcome of a check of the result, for both halves (``plan.steps.Check``)."""

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

_WORD_NBITS = 32


class OneCheck(Component):
    """Compares a number with 1, word by word in one cycle, and all words in the next one.

    Parameters
    ----------
    nbits : int; width of the number in bits

    Ports
    -----
    load : in, 1 bit; a request is loaded: nothing remains of an earlier number
    compares : in, 1 bit; ``value`` has to be compared in this cycle
    value : in, nbits bits
    judges : out, 1 bit; one cycle after ``compares``: ``is_one`` is valid
    is_one : out, 1 bit
    """

    def construct(s, nbits: int):
        bounds = [*range(0, nbits, _WORD_NBITS), nbits]
        nwords = len(bounds) - 1
        s.load = InPort(1)
        s.compares = InPort(1)
        s.value = InPort(nbits)
        s.judges = OutPort(1)
        s.is_one = OutPort(1)
        s.inverted = Wire(nbits)  # the number, but for its lowest bit, which is inverted
        s.words = [Wire(mk_bits(_WORD_NBITS)) for _ in range(nwords)]
        for i, word in enumerate(s.words):
            width = bounds[i + 1] - bounds[i]
            word[0:width] //= s.inverted[bounds[i] : bounds[i + 1]]
            if width < _WORD_NBITS:
                word[width:_WORD_NBITS] //= 0
        s.any = Wire(mk_bits(nwords))
        s.any_reg = Wire(mk_bits(nwords))  # a bit per word, which is 1 if a bit of ``inverted`` is
        s.judges_reg = Wire(Bits1)
        s.judges //= s.judges_reg

        @update
        def comb_inverted():
            s.inverted @= s.value ^ 1

        @update
        def comb_one():
            for i in range(nwords):
                s.any[i] @= s.words[i] != 0
            s.is_one @= s.any_reg == 0

        @update_ff
        def seq_any():
            s.judges_reg <<= s.compares & ~s.reset
            if s.load:
                s.any_reg <<= 0
            elif s.compares:
                s.any_reg <<= s.any


class Confirmation(Component):
    """Compares a reduced number of each half with 1; a result is confirmed if both are 1.

    Each half has two flip-flops, for yes and for no, which must differ. So it takes more than a
    flip of one of them to confirm a result::

        yes  no  meaning
        ---  --  ---------------------------------------------------
        0    1   not compared since the request was loaded, or not 1
        1    0   compared, and 1
        0    0   a fault: not confirmed
        1    1   a fault: not confirmed

    Parameters
    ----------
    nbits : int; width of the numbers in bits
    lanes : int; number of lanes: 1, or 2 with half 0 on lane 0 and half 1 on lane 1

    Ports
    -----
    load : in, 1 bit; a request is loaded: nothing is confirmed
    compares : in, 1 bit each, per lane; ``value`` has to be compared in this cycle
    value : in, nbits bits each, per lane
    broken : in, 1 bit each, per lane; a register is at fault: nothing is confirmed until the next
        request
    half : in, 1 bit; with one lane: half to which ``value`` belongs
    busy : out, 1 bit; a comparison is not complete
    confirmed : out, 1 bit; the numbers of both halves were 1

    Latency: ``confirmed`` is valid two cycles after ``compares``.
    """

    def construct(s, nbits: int, lanes: int):
        single = int(lanes == 1)
        s.load = InPort(1)
        s.compares = [InPort(1) for _ in range(lanes)]
        s.value = [InPort(nbits) for _ in range(lanes)]
        s.broken = [InPort(1) for _ in range(lanes)]
        s.half = InPort(1)
        s.busy = OutPort(1)
        s.confirmed = OutPort(1)
        s.ones = [OneCheck(nbits) for _ in range(lanes)]
        for lane in range(lanes):
            s.ones[lane].load //= s.load
            s.ones[lane].compares //= s.compares[lane]
            s.ones[lane].value //= s.value[lane]
        s.half_reg = Wire(Bits1)
        s.broken_reg = Wire(Bits1)
        s.yes_reg = [Wire(Bits1) for _ in range(2)]
        s.no_reg = [Wire(Bits1) for _ in range(2)]
        s.judges = [Wire(Bits1) for _ in range(2)]
        s.is_one = [Wire(Bits1) for _ in range(2)]
        for half in range(2):
            s.is_one[half] //= s.ones[min(half, lanes - 1)].is_one

        if single:

            @update
            def comb_judged_half():
                s.judges[0] @= s.ones[0].judges & ~s.half_reg
                s.judges[1] @= s.ones[0].judges & s.half_reg
                s.busy @= s.ones[0].judges

        else:

            @update
            def comb_judged_halves():
                s.judges[0] @= s.ones[0].judges
                s.judges[1] @= s.ones[1].judges
                s.busy @= s.ones[0].judges | s.ones[1].judges

        @update
        def comb_confirmed():
            s.confirmed @= (s.yes_reg[0] & s.yes_reg[1]) & ~(
                s.no_reg[0] | s.no_reg[1] | s.broken_reg
            )

        @update_ff
        def seq_confirmed():
            s.half_reg <<= s.half
            for lane in range(lanes):
                if s.broken[lane]:
                    s.broken_reg <<= 1
            if s.load | s.reset:
                s.broken_reg <<= 0
            for i in range(2):
                if s.load | s.reset:
                    s.yes_reg[i] <<= 0
                    s.no_reg[i] <<= 1
                elif s.judges[i]:
                    s.yes_reg[i] <<= s.is_one[i]
                    s.no_reg[i] <<= ~s.is_one[i]
