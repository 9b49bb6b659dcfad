"""The buses of a circuit with ``bus=digit``, driven digit by digit."""

from pymtl3 import DefaultPassGroup


class Pins:
    """The circuit's two buses, digit by digit.

    Parameters
    ----------
    configuration
        Configuration with a bus of one digit.
    watch
        Called with the circuit in each cycle, when its signals are stable.
    """

    def __init__(self, configuration, watch=lambda top: None):
        self.watch = watch
        self.top = configuration.component("rtl")
        self.top.elaborate()
        self.top.apply(DefaultPassGroup())
        self.top.sim_reset()

    def tick(self) -> None:
        """Give the watcher the circuit of this cycle, then go to the next one."""
        self.watch(self.top)
        self.top.sim_tick()

    def send(self, digits: list[int]) -> None:
        """Offer digits one after the other."""
        for digit in digits:
            self.top.recv.val @= 1
            self.top.recv.msg @= digit
            self.top.sim_eval_combinational()
            assert self.top.recv.rdy
            self.tick()
        self.top.recv.val @= 0

    def receive(self, count: int) -> list[int]:
        """Take digits; no digit of a request is accepted meanwhile."""
        got = []
        self.top.send.rdy @= 1
        while len(got) < count:
            self.top.sim_eval_combinational()
            assert not self.top.recv.rdy
            if self.top.send.val:
                got.append(int(self.top.send.msg))
            self.tick()
        self.top.send.rdy @= 0
        self.top.sim_eval_combinational()
        assert not self.top.send.val
        return got


def digits_of(value: int, count: int, nbits: int) -> list[int]:
    """Digits of a number, the least significant one first."""
    return [value >> i * nbits & (1 << nbits) - 1 for i in range(count)]
