"""A response that becomes a refusal while its padding is removed."""

import pytest

from rsaxcel.fl.status import Status
from rsaxcel.rtl.axi.control import Control, RevisedControl
from rsaxcel.sim.pymtl_engine import prepare

BLOCK, FOUND = 32, 5


def drive(top, **ports: int) -> None:
    """Set input ports, and apply a clock edge."""
    for name, value in ports.items():
        port = getattr(top, name)
        port @= value
    top.sim_settle()
    top.sim_edge()


@pytest.mark.parametrize("status", [Status.OK, Status.FAULT_DETECTED], ids=["stays", "revised"])
@pytest.mark.parametrize("good", [0, 1], ids=["malformed", "good"])
@pytest.mark.parametrize("kind", [Control, RevisedControl], ids=["control", "revised-control"])
def test_status_after_a_padding_is_removed(kind, good, status):
    """The last status counts for ``RevisedControl``, and for ``Control`` the first one."""
    top = kind(BLOCK // 4)
    top.elaborate()
    prepare(top, None)
    drive(top, reset=1)
    drive(top, reset=0, start=1, removes=1, block=BLOCK, recv_rdy=1)
    drive(top, start=0)  # lengths are judged
    drive(top, active=0)  # the block is filled
    drive(top)  # and sent
    drive(top, send_val=1, send_status=int(Status.OK))
    assert not top.done
    drive(top, active=1, good=0)
    drive(top, send_status=int(status))
    drive(top, active=0, good=good, found=FOUND)
    assert top.done
    refused = kind is RevisedControl and status != Status.OK
    read = Status.OK if good else Status.PADDING_WRONG
    assert int(top.status) == (status if refused else read)
    assert int(top.length) == (FOUND if good and not refused else 0)
