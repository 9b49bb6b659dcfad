"""The exception of the power analysis."""

from rsaxcel.flow.errors import FlowError
from rsaxcel.store.errors import UserError


class PowerError(FlowError, ValueError):
    """Raised for unusable libraries, netlists, slews or activities; the message is one line."""

    exit_status = UserError.exit_status
