"""Circuits that check the input rules."""

from collections.abc import Sequence
from typing import Any

from pymtl3 import Bits1, Component, InPort, OutPort, Wire, mk_bits, update, update_ff

from rsaxcel.fl.status import STATUS_NBITS, InputRules, Status
from rsaxcel.rtl.lib.adjust import connect_named

_WORD_NBITS = 32  #: width of the word into which a number is folded
_LOW_NBITS = 2  #: lowest bits of a half of the modulus, which are registered as they are


class Verdict(Component):
    """Outputs the status code of the first input rule that is broken, in the order of the ports.

    Ports
    -----
    wide, too_small, even, other, too_large, missing : in, 1 bit each; a rule is broken: an operand
        too wide; the modulus too small, even, or not the only one supported; the base too large;
        constants missing. 0 if the design does not have the rule
    status : out, STATUS_NBITS bits; 0 if all rules are met

    Combinational.
    """

    def construct(s):
        for name in ("wide", "too_small", "even", "other", "too_large", "missing"):
            setattr(s, name, InPort(1))
        s.status = OutPort(STATUS_NBITS)
        too_small, even = int(Status.MODULUS_TOO_SMALL), int(Status.MODULUS_EVEN)
        too_large, too_wide = int(Status.BASE_TOO_LARGE), int(Status.OPERAND_TOO_WIDE)
        other, missing = int(Status.MODULUS_OTHER), int(Status.CONSTANTS_MISSING)

        @update
        def comb_status():
            s.status @= 0
            if s.wide:
                s.status @= too_wide
            elif s.too_small:
                s.status @= too_small
            elif s.even:
                s.status @= even
            elif s.other:
                s.status @= other
            elif s.too_large:
                s.status @= too_large
            elif s.missing:
                s.status @= missing


class OperandCheck(Component):
    """Checks a request whose operands are complete, and outputs its status.

    Parameters
    ----------
    rules : fl.status.InputRules; width of the operands, and input rules of the design

    Ports
    -----
    base, modulus : in, rules.nbits bits each; the operands
    wide : in, 1 bit; an operand did not fit its register
    missing : in, 1 bit; constants of the modulus are missing
    status : out, STATUS_NBITS bits; 0 if all rules are met

    Combinational.
    """

    def construct(s, rules: InputRules):
        Value = mk_bits(rules.nbits)
        s.base = InPort(Value)
        s.modulus = InPort(Value)
        s.wide = InPort(1)
        s.missing = InPort(1)
        s.status = OutPort(STATUS_NBITS)
        # PyMTL3 gives an int 32 bits.
        min_modulus = rules.min_modulus if rules.min_modulus < 1 << 31 else Value(rules.min_modulus)
        odd = int(rules.odd_modulus)

        s.verdict = Verdict()
        connect_named(s.verdict, s, "wide", "missing", "status")

        @update
        def comb_findings():
            s.verdict.too_small @= s.modulus < min_modulus
            s.verdict.even @= ~s.modulus[0] & odd
            s.verdict.too_large @= s.base >= s.modulus

        if rules.constant_modulus:
            constant = Value(rules.constant_modulus)

            @update
            def comb_other():
                s.verdict.other @= s.modulus != constant

        else:
            s.verdict.other //= 0


class Fold(Component):
    """ORs the 32-bit words of a number into one word, which is 0 only if the number is 0.

    Parameters
    ----------
    nbits : int; width of the number in bits

    Ports
    -----
    bits : in, nbits bits
    word : out, 32 bits; combinational
    """

    def construct(s, nbits: int):
        count = -(-nbits // _WORD_NBITS)
        Word = mk_bits(_WORD_NBITS)
        s.bits = InPort(nbits)
        s.word = OutPort(Word)
        s.words = [Wire(Word) for _ in range(count)]
        for i, word in enumerate(s.words):
            begin, end = i * _WORD_NBITS, min((i + 1) * _WORD_NBITS, nbits)
            word[0 : end - begin] //= s.bits[begin:end]
            if end - begin < _WORD_NBITS:
                word[end - begin : _WORD_NBITS] //= 0

        @update
        def comb_fold():
            s.word @= 0
            for i in range(count):
                s.word @= s.word | s.words[i]


class HalvesCheck(Component):
    """Checks the input rules of a request with two halves, which takes one cycle.

    The comparison of each half of the modulus with the least allowed modulus is divided by a
    register into two cycles, to keep the critical path short.

    Parameters
    ----------
    rules : fl.status.InputRules; widths and input rules. Both moduli must be odd. The base is not
        checked: it may have any value, because the design reduces it

    Ports
    -----
    load : in, 1 bit; the operands are valid
    blank : in, 1 bit; zeros are loaded as the modulus instead of a request; the unused bits of
        ``exponent`` are then not checked
    modulus, exponent : in, rules.modulus_nbits and rules.halves.exponents_nbits bits
    wide, missing : in, 1 bit each; valid one cycle after ``load``; see ``OperandCheck``
    status : out, STATUS_NBITS bits; valid one cycle after ``load``; 0 if all rules are met
    """

    def construct(s, rules: InputRules):
        halves = rules.halves
        assert halves is not None
        nbits, padded = halves.nbits, halves.padded_nbits
        bounds = [*range(_LOW_NBITS, nbits, _WORD_NBITS), nbits]
        nwords, least = len(bounds) - 1, rules.min_modulus
        Words, Low, Word = mk_bits(nwords), mk_bits(_LOW_NBITS), mk_bits(_WORD_NBITS)
        s.load = InPort(1)
        s.blank = InPort(1)
        s.modulus = InPort(rules.modulus_nbits)
        s.exponent = InPort(halves.exponents_nbits)
        s.wide = InPort(1)
        s.missing = InPort(1)
        s.status = OutPort(STATUS_NBITS)

        s.words = [Wire(Word) for _ in range(2 * nwords)]
        s.pads = [Wire(Word) for _ in range(4)]
        s.low = [Wire(Low) for _ in range(2)]
        for half in range(2):
            first = half * padded
            s.low[half] //= s.modulus[first : first + _LOW_NBITS]
            for i in range(nwords):
                begin, end = bounds[i], bounds[i + 1]
                word = s.words[half * nwords + i]
                word[0 : end - begin] //= s.modulus[first + begin : first + end]
                if end - begin < _WORD_NBITS:
                    word[end - begin : _WORD_NBITS] //= 0
            for i, (operand, width) in enumerate(
                ((s.modulus, nbits), (s.exponent, rules.exponent_nbits))
            ):
                pad = padded - width
                port = s.pads[2 * half + i]
                if pad > _WORD_NBITS:  # the exponent is much narrower than a half of the modulus
                    fold = Fold(pad)
                    setattr(s, f"fold{half}", fold)
                    fold.bits //= operand[first + width : first + padded]
                    port //= fold.word
                elif pad:
                    port[0:pad] //= operand[first + width : first + padded]
                if pad < _WORD_NBITS:
                    port[pad:_WORD_NBITS] //= 0

        #: low_reg: the lowest two bits of each half of the modulus. any: for each half, a bit per
        #: word of the bits above these two, which is 1 if a bit of the word is set. pad_reg: a bit
        #: of the padding is set.
        s.any = [Wire(Words) for _ in range(2)]
        s.any_reg = [Wire(Words) for _ in range(2)]
        s.low_reg = [Wire(Low) for _ in range(2)]
        s.pad_reg = Wire(Bits1)

        @update
        def comb_any():
            for half in range(2):
                for i in range(nwords):
                    s.any[half][i] @= s.words[half * nwords + i] != 0

        s.verdict = Verdict()
        s.blinds_wide = Wire(Bits1)  #: a random number does not fit its width
        s.blinds_missing = Wire(Bits1)  #: a random number is 0
        above = [*zip(halves.numbers, halves.lows, strict=True)]
        if given := [(x.nbits, low) for x, low in above if not x.odd]:
            add_blinds_check(s, given)
        else:
            s.blinds_wide //= 0
            s.blinds_missing //= 0
        if given := [(x.nbits, low) for x, low in above if x.odd]:
            add_public_check(s, *given[0])
        else:

            @update
            def comb_missing_constants():
                s.verdict.missing @= s.missing | s.blinds_missing

            @update_ff
            def seq_parts():
                if s.load:
                    for half in range(2):
                        s.low_reg[half] <<= s.low[half]
                        s.any_reg[half] <<= s.any[half]
                    s.pad_reg <<= (
                        ((s.pads[0] | s.pads[1]) | (s.pads[2] | s.pads[3])) != 0
                    ) & ~s.blank

        s.verdict.other //= 0
        s.verdict.too_large //= 0
        s.verdict.status //= s.status

        @update
        def comb_findings():
            s.verdict.wide @= s.wide | s.pad_reg | s.blinds_wide
            s.verdict.too_small @= 0
            s.verdict.even @= 0
            for half in range(2):
                if (s.any_reg[half] == 0) & (s.low_reg[half] < least):
                    s.verdict.too_small @= 1
                if ~s.low_reg[half][0]:
                    s.verdict.even @= 1


def add_public_check(s: Any, nbits: int, low: int) -> None:
    """Check the public exponent above the exponents of the halves: it has to be odd, and to fit.

    If the lowest bit is 0, the public exponent counts as missing.
    """
    pad = -nbits % _WORD_NBITS
    s.public_pad = Wire(mk_bits(_WORD_NBITS))
    if pad:
        s.public_pad[0:pad] //= s.exponent[low + nbits : low + nbits + pad]
    s.public_pad[pad:_WORD_NBITS] //= 0
    s.odd_reg = Wire(Bits1)

    @update
    def comb_missing():
        s.verdict.missing @= s.missing | s.blinds_missing | ~s.odd_reg

    @update_ff
    def seq_parts_and_public():
        if s.load:
            for half in range(2):
                s.low_reg[half] <<= s.low[half]
                s.any_reg[half] <<= s.any[half]
            s.pad_reg <<= (
                ((s.pads[0] | s.pads[1]) | (s.pads[2] | s.pads[3]) | s.public_pad) != 0
            ) & ~s.blank
            s.odd_reg <<= s.exponent[low] | s.blank


def add_blinds_check(s: Any, given: Sequence[tuple[int, int]]) -> None:
    """Check the random numbers above the exponents: none is 0, and all fit their widths."""
    count = len(given)
    s.blind_words = [Wire(mk_bits(_WORD_NBITS)) for _ in given]
    s.blind_pads = [Wire(mk_bits(_WORD_NBITS)) for _ in given]
    for i, (nbits, low) in enumerate(given):
        word, pads = s.blind_words[i], s.blind_pads[i]
        end = low + nbits
        pad = -nbits % _WORD_NBITS
        fold = Fold(nbits)
        setattr(s, f"blind_fold{i}", fold)  # no list, because their widths differ
        fold.bits //= s.exponent[low:end]
        word //= fold.word
        if pad:
            pads[0:pad] //= s.exponent[end : end + pad]
        pads[pad:_WORD_NBITS] //= 0
    s.blinds_wide_reg = Wire(Bits1)
    s.blinds_missing_reg = Wire(Bits1)
    s.blinds_wide //= s.blinds_wide_reg
    s.blinds_missing //= s.blinds_missing_reg
    s.any_pad = Wire(Bits1)
    s.any_zero = Wire(Bits1)

    @update
    def comb_blinds():
        s.any_pad @= 0
        s.any_zero @= 0
        for i in range(count):
            if s.blind_pads[i] != 0:
                s.any_pad @= 1
            if s.blind_words[i] == 0:
                s.any_zero @= 1

    @update_ff
    def seq_blinds():
        if s.load:
            s.blinds_wide_reg <<= s.any_pad & ~s.blank
            s.blinds_missing_reg <<= s.any_zero & ~s.blank
