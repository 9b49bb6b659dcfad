"""Prints a page to PDF by a browser, if one is installed."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from rsaxcel.store.installing import program
from rsaxcel.store.tools import CHROMIUM, ToolError

_SECONDS = 120


def print_page(page: Path, pdf: Path) -> str:
    """Print a page of ours to PDF; return a line on why there is none, or nothing."""
    pdf.unlink(missing_ok=True)
    try:
        browser = program(CHROMIUM)
    except ToolError as error:
        return f"no PDF: {error}"
    # As root, Chromium refuses to run in its sandbox; the page has no script and asks for nothing.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options += ["--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"]
        options += [f"--user-data-dir={profile}", f"--print-to-pdf={pdf.absolute()}"]
        with subprocess.Popen(
            [*browser, *options, page.absolute().as_uri()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as running:
            try:
                status = running.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                return f"no PDF: {browser[0]} did not end within {_SECONDS} s"
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(running.pid, signal.SIGKILL)
    return "" if pdf.is_file() else f"no PDF: {browser[0]} ended with status {status}"
