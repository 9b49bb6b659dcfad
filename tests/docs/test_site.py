"""The built documentation is complete, and asks no other host."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.docs.commands import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]

CHROMIUM = shutil.which("chromium")
#: Resources that a page loads by itself, in contrast to links that a reader may follow.
LOADED = re.compile(
    r"""\bsrc=["']?(https?:)?//|<link(?![^>]*canonical)[^>]*href=["']?(https?:)?//"""
)
IN_STYLES = re.compile(r"""url\(["']?(https?:)?//|@import""")

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Folder of the site, built with warnings as errors."""
    pytest.importorskip("mkdocs", reason="make docs installs it")
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(["make", "--silent", "named"], cwd=ROOT, check=True)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", folder]
    variables = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def chromium(url: str, tmp_path) -> tuple[str, set[str]]:
    """Text of a page after its scripts have run, and the addresses that it requested."""
    log = tmp_path / "log.json"
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--log-net-log={log}", f"--user-data-dir={tmp_path / 'profile'}"]
    command += ["--disable-background-networking", "--disable-component-update", "--no-first-run"]
    command += ["--virtual-time-budget=20000", url]
    page = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True).stdout
    events = [x.get("params", {}) for x in json.loads(log.read_text())["events"]]
    # Requests of the browser itself have no origin.
    pages = (x for x in events if x.get("initiator", "not an origin") != "not an origin")
    return page, {str(x["url"]) for x in pages if re.match("https?:", str(x.get("url")))}


def test_nothing_is_loaded_from_elsewhere(site):
    pages = [*site.rglob("*.html")]
    assert len(pages) > 15
    for page in pages:
        assert not LOADED.search(page.read_text(encoding="utf-8")), page
    for style in site.rglob("*.css"):
        assert not IN_STYLES.search(style.read_text(encoding="utf-8")), style


def test_every_public_name_is_in_the_api(site):
    import rsaxcel

    text = (site / "reference/api.html").read_text(encoding="utf-8")
    for name in rsaxcel.__all__:
        assert name in ("LEVELS", "__version__") or re.search(rf'id="[\w.]*\b{name}"', text), name


@needs_chromium
@pytest.mark.parametrize(
    "name", ["index.html", "tutorials/first-accelerator.html", "reference/api.html"]
)
def test_page_asks_no_other_host(site, tmp_path, name):
    page, asked = chromium(f"file://{site}/{name}", tmp_path)
    assert "md-content" in page
    assert asked == set()


@needs_chromium
def test_search_works_in_pages_that_were_opened_as_files(site, tmp_path):
    page, asked = chromium(f"file://{site}/index.html?q=reciprocal", tmp_path)
    results = page.partition('class="md-search-result__list"')[2].partition("</ol>")[0]
    assert "tutorials/first-accelerator.html" in results
    assert asked == set()


@needs_chromium
def test_a_request_would_be_seen(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<script>fetch('http://example.invalid/x')</script>")
    _, asked = chromium(f"file://{page}", tmp_path)
    assert asked == {"http://example.invalid/x"}
