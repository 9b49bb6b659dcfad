"""The exception of the power analysis."""


class PowerError(ValueError):
    """Raised for unusable libraries, netlists, slews or activities; the message is one line."""
