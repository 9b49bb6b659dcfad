"""Opens the report's page in a browser."""

import shutil
from pathlib import Path

import pytest

BROWSERS = ("chromium", "google-chrome")
FOUND = next((path for x in BROWSERS if (path := shutil.which(x))), None)

BROWSER = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(
        FOUND is None, reason=f"no browser: {', '.join(BROWSERS)} (apt-get install chromium)"
    ),
]
"""Marks of tests that need a browser."""

HEIGHTS = {1920: 1080, 1400: 900, 420: 860}
"""Heights of screens by their widths; the last screen is a phone's."""


class Opened:
    """Page in the browser, with its messages and requests."""

    def __init__(
        self, browser, file: Path, width: int, colours: str = "light", anchor: str = ""
    ) -> None:
        phone = width < 600
        more = {"is_mobile": True, "has_touch": True} if phone else {}
        size = {"width": width, "height": HEIGHTS.get(width, 900)}
        self.page = browser.new_page(viewport=size, color_scheme=colours, **more)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri() + anchor)
        self.page.wait_for_selector("html[data-ready]", timeout=300_000)
