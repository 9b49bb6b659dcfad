"""WordStore: residues in a memory of words that the multiplier itself addresses.

The multiplier of such a store is an *engine*: one component for all lanes of a program, so that
lanes may share what they have in common (both products of a right-to-left step have the same
``b``). It is built as ``Engine(nbits, lanes, slot_nbits, **params)``; its contract in ``fl`` (a
``fl.multipliers.contract.WordMultiplier``) says how many bits a word has (``word_nbits``), how many
words an operand (``words``), and which constants of the modulus the engine needs
(``modulus_constants``, steady inputs of the engine by name).

Ports of the engine, a ``WordLane`` in the list ``lanes`` for each lane:

offered, accepts : a product is offered and taken in a cycle in which both are 1
slot : token of the product offered; steady only in the cycle in which it is accepted
answers : for one cycle: the words of the result can be read *as far as they are needed*: word j
    from the (j + 1)-th cycle after this one, at the latest. The next product is offered in the
    next cycle, at the earliest.
read_slot, a_index, b_index, m_index : the product whose operands are read (the token), and which
    word of its a, its b and of the modulus
a_word, b_word, m_word : those words *in the same cycle* (the memory reads combinationally, as
    flip-flops and an FPGA's distributed memory do; an engine that wants a fetch stage registers
    them)
write, write_slot, write_index, write_word : a word of the result of the product with this token;
    it can be read from the next cycle on. Words may be written before ``answers``, in that cycle
    and after it: word j no later than j cycles after it.

An index is below ``words`` at all times. The token is one-hot with ``slot_nbits`` bits and means
nothing to the engine; 0 reads zeros.

Operands enter by the loader before the request is accepted, one word of each in a cycle; after the
last step the unloader reads the result's words in order, subtracts the modulus where it is not
below it (``words`` cycles to find that out, as many to hand the words on) and gives it to the
response. Memory of a lane's own, such as that for 2B + N, is the engine's own matter.
"""
