"""Why designs from outside are not there."""

import os
import sys
from pathlib import Path

from catalog import PROBLEMS, registry
from diagnosis.silent import silent
from store.errors import UserError
from store.limit import time_limit


def check_outside() -> None:
    """Refuse to go on where designs can't be registered.

    The registry keeps a line for each. Where a circuit or a model is to blame, loading it again
    tells the statement.

    Raises
    ------
    UserError
        With the first reason.
    """
    if PROBLEMS:
        from diagnosis.error import DesignError
        from diagnosis.explain import diagnose

        try:
            with silent(), time_limit(registry.LOADING_SECONDS):
                _load_again()
        except DesignError:
            raise
        except (Exception, SystemExit) as error:  # whatever somebody else's module raises
            raise diagnose(error, modules=True) or UserError(PROBLEMS[0]) from error
        raise UserError(PROBLEMS[0])


def _load_again() -> None:
    for point in registry.outside_points():
        _try_out(point.load())
    for item in filter(None, os.environ.get(registry.VARIABLE, "").split(os.pathsep)):
        path = Path(item).absolute()
        for name in [*sys.modules]:
            if name == path.stem or name.startswith(f"{path.stem}."):
                del sys.modules[name]
        _try_out(registry._load(path))


def _try_out(found: object) -> None:
    from diagnosis.check import check_models

    for design in found if isinstance(found, tuple | list) else (found,):
        registry._check(design)
        check_models(design.default)
        registry._try_out(design)
