"""A component that has a stream interface and computes a golden function."""

from pymtl3 import Component, update
from pymtl3.stdlib.stream import NormalQueueRTL
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL


class FunctionUnit(Component):
    """Functional model with the interface of the circuit.

    Parameters
    ----------
    request_type, response_type : type; message bitstructs
    function : callable; takes the values of the request's fields as integers, returns the values of
        the response's fields as a tuple of integers

    Latency: 1 cycle; a request per cycle.
    """

    def construct(s, request_type, response_type, function):
        s.recv = RecvIfcRTL(request_type)
        s.send = SendIfcRTL(response_type)
        s.queue = NormalQueueRTL(response_type, num_entries=2)
        names = tuple(request_type.__bitstruct_fields__)
        blank = response_type()

        @update
        def comb_function():
            if s.recv.val:
                values = (int(getattr(s.recv.msg, name)) for name in names)
                s.queue.recv.msg @= response_type(*function(*values))
            else:
                s.queue.recv.msg @= blank

        s.recv.val //= s.queue.recv.val
        s.recv.rdy //= s.queue.recv.rdy
        s.queue.send //= s.send

    def line_trace(s):
        return f"{s.recv}(){s.send}"
