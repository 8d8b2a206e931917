"""What `kubegap library lint` and `build` say of the pages of checks."""

from pathlib import Path

import pytest

import kubegap.checks
from kubegap.checks import pages
from kubegap.cli.main import run

AREA = Path(kubegap.checks.__file__).parent / "control_plane"
ROOT = Path(__file__).parents[2] / "library"
COMMANDS = [["library", "lint", str(ROOT)], ["library", "build", str(ROOT), "--out", "{out}"]]


@pytest.fixture(params=COMMANDS, ids=["lint", "build"])
def told(request, tmp_path, monkeypatch, capsys):
    """What a command says when the one pair there is has this page, and how it ends."""
    area = tmp_path / "checks" / "control_plane"
    area.mkdir(parents=True)
    (area / "webhook_fail_closed_wide.py").touch()
    monkeypatch.setattr(pages, "_HERE", area.parent)
    arguments = [word.format(out=tmp_path / "out") for word in request.param]

    def of(old, new):
        page = (AREA / "webhook_fail_closed_wide.yaml").read_text(encoding="utf-8")
        assert old in page
        (area / "webhook_fail_closed_wide.yaml").write_text(page.replace(old, new, 1), encoding="utf-8")
        outcome = run(arguments, {"LC_ALL": "C.UTF-8", "LANG": "en_US.UTF-8"}, {})
        return outcome, "".join(capsys.readouterr())

    return of


def test_a_field_that_does_not_exist(told):
    outcome, said = told("looks_for:", "look_for:")

    assert outcome == 1
    assert "webhook_fail_closed_wide.yaml" in said
    assert "`looks_for`" in said


def test_an_incident_that_does_not_exist(told):
    outcome, said = told("- 2020-02-moj-opa-blocks-control-plane-pods", "- 2020-02-moj-opa-blocks-control-plane")

    assert outcome == 1
    assert "incidents[1]" in said
    assert "did you mean `2020-02-moj-opa-blocks-control-plane-pods`" in said
