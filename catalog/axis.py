"""Base class of the axes of the design space: the choices on an axis, and which of them fit.

A choice is named by a token, such as ``window`` on the axis ``schedule``. The axes are decided one
after the other, in a ``Draft``.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from rsaxcel.catalog.draft import Draft, refuse

BY_PRIMES = "domain=crt, as in crt_window, has the choice"
"""Words on the designs that compute by two primes, for messages to users of other designs."""


class Fitting(NamedTuple):
    """The tokens of an axis that fit the earlier choices."""

    tokens: Sequence[Any]  # the first one is the default
    reason: str = ""  # why no other token fits, for a message


class Axis(ABC):
    """An axis: its tokens (names of choices), and those that fit the choices on earlier axes."""

    name: str  # for users

    @abstractmethod
    def known(self) -> Sequence[str]:
        """Give every token, whether it fits or not."""

    def needless(self, draft: Draft) -> str:
        """Return why nothing can be chosen on this axis; an empty text if there is a choice."""
        return ""

    @abstractmethod
    def usual(self, draft: Draft) -> Any:
        """Return the token that the registered design has on this axis."""

    @abstractmethod
    def fits(self, draft: Draft) -> Fitting:
        """Return the tokens that fit the choices on earlier axes."""

    def parse(self, value: Any) -> Any:
        """Return the token for a user's value or text; ``ValueError`` if there is none."""
        if value not in self.known():
            refuse(self.name, value, f"{', '.join(self.known())} are allowed")
        return value

    def take(self, draft: Draft, token: Any) -> None:
        """Store the chosen token in the draft, with the values that follow from it."""
        draft.tokens[self.name] = token

    def choose(self, draft: Draft) -> None:
        """Choose a token: the user's, else the registered design's if it fits, else the first.

        If the user's token does not exist or does not fit, a ``ValueError`` of one line says so.
        """
        if reason := self.needless(draft):
            if self.name in draft.asked:
                refuse(self.name, draft.asked[self.name], reason)
            return
        fitting = self.fits(draft)
        usual = self.usual(draft)
        token = usual if usual in fitting.tokens else fitting.tokens[0]
        if self.name in draft.asked:
            asked = draft.asked.pop(self.name)
            token = self.parse(asked)
            if token not in fitting.tokens:
                verb = "fits" if len(fitting.tokens) == 1 else "fit"
                allowed = ", ".join(map(str, fitting.tokens))
                refuse(self.name, asked, f"{fitting.reason}; {allowed} {verb}")
        self.take(draft, token)
