"""Fixtures: reports on made-up results, and a browser for their pages."""

import pytest


@pytest.fixture(scope="session")
def everything(tmp_path_factory):
    """Report of all documents on made-up results, without failures."""
    from tests.eval.made_up_report import Report

    return Report(tmp_path_factory.mktemp("report"), plots=True)


@pytest.fixture(scope="module")
def browser():
    """Start a browser; tests that use it need the marks of ``tests.eval.opened_page``."""
    driving = pytest.importorskip("playwright.sync_api")
    from tests.eval.opened_page import FOUND

    with driving.sync_playwright() as driver:
        options = ["--no-sandbox", "--disable-gpu"]  # as root, and without a screen
        started = driver.chromium.launch(executable_path=FOUND, args=options)
        yield started
        started.close()


@pytest.fixture(scope="session")
def page_file(tmp_path_factory):
    """First page of McNay's document on made-up results, with inner structures of circuits."""
    from rsaxcel.eval.studies import mcnay
    from tests.eval.made_up_report import Report, anatomy

    folder = tmp_path_factory.mktemp("page")
    Report(folder, [mcnay.STUDY], plots=True, look=anatomy)
    return folder / "index.html"


@pytest.fixture(scope="session")
def choice_file(tmp_path_factory):
    """First page of a report with the choice of a design, and without other plots."""
    from rsaxcel.eval.studies import STUDIES
    from tests.eval.made_up_report import Report

    return Report(tmp_path_factory.mktemp("choice"), STUDIES[:2]).folder / "index.html"


@pytest.fixture(scope="session")
def document_file(page_file):
    """Page of McNay's document on made-up results."""
    return page_file.with_name("mcnay_2023.html")
