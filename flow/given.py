"""Translation of what is given as Verilog: there is nothing left to do but to write it."""

from __future__ import annotations

from dataclasses import asdict

from flow.files import write_json
from flow.job import Job
from flow.stage import Place
from flow.subjects.given import find_given


def run(job: Job, place: Place) -> None:
    """Write ``design.v``, and ``interface.json`` with its messages, as ``flow.translation``."""
    module = find_given(job.params).module
    (place.outputs / "design.v").write_text(module.text)
    messages = {port: asdict(message) for port, message in module.messages.items()}
    write_json(
        place.outputs / "interface.json", {"top": module.top, "messages": messages, "tools": {}}
    )
