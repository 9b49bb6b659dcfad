"""What a host of repositories reads: the workflow that checks changes, and the form for faults."""

import re

import yaml

from tests.project.test_dockerfile import GIVEN, ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
FORM = ROOT / ".github" / "ISSUE_TEMPLATE" / "fault.yml"


def test_workflow_installs_what_set_up_needs_and_runs_what_everybody_runs():
    (job,) = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"].values()
    text = "\n".join(step.get("run", "") for step in job["steps"])
    (packages,) = re.findall(r"apt-get install --yes --no-install-recommends (.*)", text)
    assert {*packages.split()} == GIVEN
    assert text.splitlines()[-1] == ".ci/run"
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    (key,) = (step["with"]["key"] for step in job["steps"] if "cache@" in step.get("uses", ""))
    assert "hashFiles('requirements*.txt')" in key


def test_form_asks_what_the_machine_has():
    fields = {x["id"]: x for x in yaml.safe_load(FORM.read_text(encoding="utf-8"))["body"]}
    asked = fields["doctor"]
    assert "`rsaxcel doctor`" in asked["attributes"]["label"]
    assert asked["validations"] == {"required": True}
