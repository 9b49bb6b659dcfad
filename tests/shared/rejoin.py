"""Expected batch of a run with a reset in flight, joined from two runs without a reset."""

from collections.abc import Callable

from rsaxcel.sim.batch import Batch, Conditions


def after_reset(alone: Callable[[int], Batch], under: Conditions) -> Batch:
    """Expected batch of a run with a reset.

    Parameters
    ----------
    alone
        Function that returns the batch of all requests from a number on, without a reset in flight.
    under
        Conditions of the run; delays are the same for all requests.
    """
    before, begin = alone(0), under.reset_at
    if before.total_cycles <= begin:
        return before
    end = begin + under.reset_cycles
    accepted = sum(cycle < begin for cycle in before.accepted)
    answered = sum(cycle < begin for cycle in before.taken)
    dropped = [None] * (accepted - answered)
    after = alone(accepted)
    # If the reset leaves no requests, the run ends with it.
    return Batch(
        responses=[*before.responses[:answered], *dropped, *after.responses],
        accepted=[*before.accepted[:accepted], *(end + cycle for cycle in after.accepted)],
        valid=[*before.valid[:answered], *dropped, *(end + cycle for cycle in after.valid)],
        taken=[*before.taken[:answered], *dropped, *(end + cycle for cycle in after.taken)],
        total_cycles=end + after.total_cycles,
    )
