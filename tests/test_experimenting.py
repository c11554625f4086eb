"""Experiments that are really run: what is recorded, what ends a run, and what it may not do."""

from __future__ import annotations

import hashlib
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from researchpack.build import site_of
from researchpack.cli import cli
from researchpack.formats.runs import as_file, file_name
from researchpack.gather import gather
from researchpack.problems import NoSuchPack, Unwritable, UsageFault
from researchpack.records import Package, RunStatus
from researchpack.run import NO_NETWORK, NOT_ENFORCED
from researchpack.views import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import ProjectFolder
    from researchpack.records import ExperimentView

COMMAND = Path(sys.executable).with_name("researchpack")
PACK = "river-craft/03-locks"
ENTRY = """\
- id: X1
  title: Filling time
  predictions: [{text: It is fast., written: 2026-11-10, rule: minutes.max <= 19}]
  success: It is never slow.
  success_rule: minutes.max < 19
  command: [python, lab/fill.py, "{seeds}"]
  inputs: [lab]
  seeds: [1, 2, 3]
"""
FILL = """\
import json, sys
from pathlib import Path
times = [16 + int(seed) * 7 % 4 for seed in sys.argv[1].split(",")]
values = {"minutes": {"max": max(times)}, "n": len(times)}
Path("out/values.json").write_text(json.dumps(values, indent=1) + "\\n")
print("slowest:", max(times))
"""
SCRIPT = """\
- id: X1
  title: A script
  predictions: [{text: It holds., written: 2026-11-10}]
  command: [python, lab/fill.py]
  inputs: [lab]
"""
NAME = re.compile(r"20\d{6}t\d{6}z-([0-9a-f]{12})\.json")


@pytest.fixture
def lab(project: ProjectFolder) -> ProjectFolder:
    """The pack with one experiment that can be run."""
    project.write("experiments.yaml", ENTRY)
    project.write("lab/fill.py", FILL)
    rows = project.read("claims.md").splitlines(keepends=True)
    project.write("claims.md", "".join(row for row in rows if not row.startswith("| C3 |")))
    return project


def told(project: ProjectFolder, *words: str | Path) -> Result:
    whole = ["-C", project.root, "experiment", *words]
    return CliRunner().invoke(cli, [str(word) for word in whole])


def run(project: ProjectFolder, *words: str | Path) -> Result:
    return told(project, "run", PACK, *words, "--yes")


def script(project: ProjectFolder, code: str, more: str = "") -> Result:
    """Run a script as X1."""
    project.write("experiments.yaml", SCRIPT + more)
    project.write("lab/fill.py", code)
    return run(project)


def records(project: ProjectFolder, name: str = "X1") -> list[dict[str, Any]]:
    """The records, oldest first; each with the name of its file."""
    files = sorted((project.folder / "runs" / name).glob("*.json"))
    found = [{**json.loads(file.read_bytes()), "id": file.stem} for file in files]
    return sorted(found, key=lambda record: record["started"])


def artefact(project: ProjectFolder, name: str, record: dict[str, Any] | None = None) -> bytes:
    one = record or records(project)[-1]
    file = next(entry["file"] for entry in one["artefacts"] if entry["name"] == name)
    return (project.folder / "runs" / one["experiment"] / file).read_bytes()


def shown(project: ProjectFolder, name: str = "X1") -> ExperimentView:
    found = project.view().experiment(name)
    assert found is not None
    return found


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# --- what is recorded -------------------------------------------------------------------------


def test_a_record_says_what_was_run_with_what_and_what_came_out(lab: ProjectFolder) -> None:
    done = run(lab)
    assert done.exit_code == 0, done.stderr
    (record,) = records(lab)
    assert record["schema"] == "researchpack.run.v1"
    assert (record["experiment"], record["outcome"], record["exit_status"]) == (
        "X1",
        "completed",
        0,
    )
    assert record["command"] == ["python", "lab/fill.py", "1,2,3"]
    assert record["seeds"] == ["1", "2", "3"]
    assert record["started"] <= record["ended"]
    assert 0 < record["seconds"] < 30
    assert record["limits_hit"] == record["skipped"] == record["packages"] == []
    assert record["network"] in (NO_NETWORK, NOT_ENFORCED)
    assert re.fullmatch(r"CPython 3\.\d+\.\d+\S*", record["interpreter"])
    assert record["revision"] == "UNKNOWN"
    data = FILL.encode()
    assert record["inputs"] == [{"file": "lab/fill.py", "sha256": sha(data), "bytes": len(data)}]
    assert record["values"] == {"minutes.max": 19, "n": 3}
    assert [(c["kind"], c["outcome"]) for c in record["criteria"]] == [
        ("prediction", "met"),
        ("success", "not met"),
    ]
    assert record["reproduces"] is None
    assert {one["name"] for one in record["artefacts"]} == {"values.json", "output.txt"}
    for one in record["artefacts"]:
        kept = (lab.folder / "runs/X1" / one["file"]).read_bytes()
        assert (sha(kept), len(kept)) == (one["sha256"], one["bytes"])
    assert artefact(lab, "output.txt") == b"slowest: 19\n"


def test_the_name_of_a_record_ends_in_its_digest(lab: ProjectFolder) -> None:
    run(lab)
    (file,) = (lab.folder / "runs/X1").glob("*.json")
    match = NAME.fullmatch(file.name)
    assert match is not None
    assert sha(file.read_bytes()).startswith(match[1])


def test_a_run_in_a_repository_names_its_revision(lab: ProjectFolder) -> None:
    git = shutil.which("git")
    if git is None:
        pytest.skip("no git here")
    author = ["-c", "user.name=a", "-c", "user.email=a@b.invalid", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "x"]):
        subprocess.run([git, "-C", lab.root, *words], check=True, capture_output=True)
    run(lab)
    lab.write("lab/fill.py", FILL + "\n")
    run(lab)
    (lab.root / "docs/guide.md").write_text("# Another guide\n")
    run(lab)
    told = [record["revision"] for record in records(lab)]
    assert re.fullmatch(r"[0-9a-f]{40}", told[0])
    # What a run takes from the pack is recorded file by file.
    assert told == [told[0], told[0], f"{told[0]} with changes"]


def test_packages_that_take_part_are_recorded_with_their_code(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", ENTRY + "  packages: [invariant_breakpoints, not_installed]\n")
    run(lab)
    ours, other = records(lab)[0]["packages"]
    assert (ours["name"], len(ours["sha256"])) == ("invariant_breakpoints", 64)
    assert other == {"name": "not_installed", "version": "", "sha256": ""}
    assert shown(lab).status is RunStatus.RUN


def test_a_completed_run_is_checked_clean(lab: ProjectFolder) -> None:
    lab.write("findings.md", "# Findings\n\n## Supporting\n\n- At most {X1.minutes.max} [X1].\n")
    run(lab)
    assert lab.problems() == []


# --- registration -----------------------------------------------------------------------------


def registrations(project: ProjectFolder) -> list[dict[str, Any]]:
    files = (project.folder / "runs/X1/registrations").glob("*.json")
    return sorted((json.loads(f.read_bytes()) for f in files), key=lambda one: one["registered"])


def test_predictions_are_registered_before_the_first_run(lab: ProjectFolder) -> None:
    run(lab)
    (entry,) = registrations(lab)
    (record,) = records(lab)
    assert entry["registered"] <= record["started"]
    assert entry["sha256"] == record["registration"]
    assert entry["predictions"] == [
        {"text": "It is fast.", "written": "2026-11-10", "rule": "minutes.max <= 19"}
    ]
    assert entry["success"] == {"text": "It is never slow.", "rule": "minutes.max < 19"}


def test_they_are_there_while_the_command_runs(lab: ProjectFolder) -> None:
    """A script that stops everything: what was predicted must be on the disk already."""
    done = script(lab, "raise SystemExit(3)")
    assert done.exit_code == 1
    assert len(registrations(lab)) == 1
    assert registrations(lab)[0]["sha256"] == records(lab)[0]["registration"]


def test_a_later_edit_makes_a_second_registration_and_the_first_stays(lab: ProjectFolder) -> None:
    run(lab)
    run(lab)
    assert len(registrations(lab)) == 1
    lab.change("experiments.yaml", "minutes.max <= 19", "minutes.max <= 18")
    assert {"experiments.registration-changed", "experiments.stale"} <= set(lab.rules())
    run(lab)
    first, second = registrations(lab)
    assert [one["predictions"][0]["rule"][-2:] for one in (first, second)] == ["19", "18"]
    assert [record["registration"] for record in records(lab)] == [
        first["sha256"],
        first["sha256"],
        second["sha256"],
    ]
    assert [c.outcome for c in shown(lab).criteria] == ["not met", "not met"]
    assert lab.problems() == []


# --- again ------------------------------------------------------------------------------------


def test_a_second_run_reproduces_the_first_and_says_so(lab: ProjectFolder) -> None:
    run(lab)
    files = set((lab.folder / "runs/X1/artefacts").iterdir())
    done = run(lab)
    first, second = records(lab)
    assert done.exit_code == 0
    assert second["reproduces"] == first["id"]
    assert f"reproduces run {first['id']} bit for bit" in done.stderr
    assert set((lab.folder / "runs/X1/artefacts").iterdir()) == files


def test_a_second_run_that_differs_is_named_and_fails(lab: ProjectFolder) -> None:
    code = (
        "import json, os\n"
        "open('out/values.json', 'w').write(json.dumps({'n': os.urandom(8).hex(), 'm': 1}))\n"
    )
    assert script(lab, code).exit_code == 0
    done = run(lab)
    assert done.exit_code == 1
    assert "differs from the last run of the same: values.json is not the same" in done.stderr
    assert re.search(r"differs from the last run of the same: n was \w+ and is \w+", done.stderr)
    assert "m was" not in done.stderr
    assert records(lab)[1]["reproduces"] is None


def test_a_run_of_something_else_is_not_compared(lab: ProjectFolder) -> None:
    run(lab)
    lab.change("lab/fill.py", "* 7", "* 5")
    done = run(lab)
    assert done.exit_code == 0
    assert "differs" not in done.stderr
    assert records(lab)[1]["reproduces"] is None


# --- how a run ends ---------------------------------------------------------------------------


def test_a_failed_run_is_recorded_as_failed(lab: ProjectFolder) -> None:
    code = (
        "open('out/values.json', 'w').write('{\"n\": 1}')\nraise ValueError('the gate is stuck')\n"
    )
    done = script(lab, code)
    assert done.exit_code == 1
    assert "exit status 1" in done.stderr
    assert "the gate is stuck" in done.stderr
    (record,) = records(lab)
    assert (record["outcome"], record["exit_status"]) == ("failed", 1)
    assert record["values"] == {}
    assert b"the gate is stuck" in artefact(lab, "errors.txt")
    assert shown(lab).status is RunStatus.FAILED
    assert lab.rules() == ["experiments.failed"]


def test_what_comes_after_a_failed_one_is_still_run(lab: ProjectFolder) -> None:
    second = ENTRY.replace("X1", "X2")
    lab.write("experiments.yaml", SCRIPT.replace("lab/fill.py", "lab/stop.py") + second)
    lab.write("lab/stop.py", "raise SystemExit(3)")
    assert run(lab).exit_code == 1
    assert records(lab)[0]["exit_status"] == 3
    assert records(lab, "X2")[0]["outcome"] == "completed"


@pytest.mark.slow
def test_the_limit_of_time_ends_a_run(lab: ProjectFolder) -> None:
    done = script(lab, "import time\ntime.sleep(60)\n", "  limits: {seconds: 1}\n")
    (record,) = records(lab)
    assert done.exit_code == 1
    assert (record["outcome"], record["limits_hit"]) == ("stopped", ["time"])
    assert record["seconds"] < 20
    assert "limit of time" in done.stderr
    assert "hit its limit: time" in shown(lab).reason


def test_the_limit_of_memory_ends_a_run(lab: ProjectFolder) -> None:
    done = script(lab, "x = bytearray(600 * 2**20)\n", "  limits: {memory_mb: 300}\n")
    (record,) = records(lab)
    assert done.exit_code == 1
    assert (record["outcome"], record["limits_hit"]) == ("stopped", ["memory"])


@pytest.mark.parametrize(
    "code",
    [
        "open('out/a', 'wb').write(bytes(3 * 2**20))",
        "print('x' * 3 * 2**20)",
        "for n in range(30): open(f'out/{n}', 'wb').write(bytes(2**17))",
        "import os, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "open('out/a', 'wb').write(bytes(3 * 2**20))",
    ],
    ids=["one file", "printed", "many files", "killed by the system"],
)
def test_the_limit_of_output_ends_a_run(lab: ProjectFolder, code: str) -> None:
    done = script(lab, code, "  limits: {output_mb: 1}\n")
    (record,) = records(lab)
    assert done.exit_code == 1
    assert (record["outcome"], record["limits_hit"]) == ("stopped", ["output"])
    assert sum(one["bytes"] for one in record["artefacts"]) <= 2**20


def marked(mark: str) -> list[str]:
    """The command lines of the processes that hold a mark: inside of a run they have other
    numbers than here."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = entry.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            found += [words] if mark in words else []
    return found


def none_left(mark: str) -> bool:
    """Whether within five seconds no process holds the mark."""
    for _ in range(50):
        if not marked(mark):
            return True
        time.sleep(0.1)
    return False


MARK = "time.sleep(3141.5)"


STUBBORN = """\
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3141.5)"])
print("ready", flush=True)
time.sleep(300)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_an_interrupt_is_recorded_and_leaves_no_process(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", SCRIPT + ENTRY.replace("X1", "X2"))
    lab.write("lab/fill.py", STUBBORN)
    process = subprocess.Popen(
        [COMMAND, "experiment", "run", PACK, "--yes"],
        cwd=lab.root,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        said = b""
        while b"X1: started" not in said:
            assert select.select([process.stderr], [], [], 30)[0], said
            said += os.read(process.stderr.fileno(), 4096)
        _wait_for(MARK)
        process.send_signal(signal.SIGINT)
        code = process.wait(30)
        said += process.stderr.read()
    finally:
        process.kill()
    assert code == 130
    assert b"Interrupted" in said
    (record,) = records(lab)
    assert (record["outcome"], record["limits_hit"]) == ("interrupted", [])
    assert records(lab, "X2") == []
    assert none_left(MARK)
    assert shown(lab).status is RunStatus.FAILED


def _wait_for(mark: str) -> None:
    for _ in range(300):
        if marked(mark):
            time.sleep(0.3)  # the script has come to its own sleep
            return
        time.sleep(0.1)
    pytest.fail(f"no process with {mark}")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_what_a_command_leaves_behind_is_ended(lab: ProjectFolder) -> None:
    code = STUBBORN.replace("time.sleep(300)\n", "")
    assert MARK in code
    assert script(lab, code).exit_code == 0
    assert none_left(MARK)


# --- what a command may not do ----------------------------------------------------------------


def test_a_command_reaches_no_network_or_the_record_says_so(lab: ProjectFolder) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        port = server.getsockname()[1]
        code = (
            "import json, socket\n"
            "try:\n"
            f"    socket.create_connection(('127.0.0.1', {port}), 5).close()\n"
            "    reached = True\n"
            "except OSError:\n"
            "    reached = False\n"
            "open('out/values.json', 'w').write(json.dumps({'reached': reached}))\n"
        )
        assert script(lab, code).exit_code == 0
    (record,) = records(lab)
    kept_away = record["network"] == NO_NETWORK
    assert record["values"]["reached"] is not kept_away
    assert kept_away or record["network"] == NOT_ENFORCED


def test_a_command_sees_nothing_of_the_callers_environment(
    lab: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCK_KEEPERS_TOKEN", "s3cret")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    script(lab, "import os, json\nprint(json.dumps(dict(os.environ)))\nprint(os.getcwd())\n")
    said, folder = artefact(lab, "output.txt").decode().splitlines()
    known = json.loads(said)
    assert set(known) - {"LC_CTYPE"} == {
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "TZ",
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUTF8",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
    }
    assert (known["HOME"], known["TMPDIR"], folder) == ("<run>/scratch", "<run>/scratch", ".")


def test_nothing_of_this_machine_is_in_a_record_even_when_it_is_printed(
    lab: ProjectFolder,
) -> None:
    code = (
        "import json, os, sys\nfrom pathlib import Path\n"
        "told = [os.getcwd(), str(Path('x').resolve()), sys.executable, sys.prefix, os.__file__,"
        " os.path.expanduser('~')]\n"
        "print(*told, sep='\\n')\n"
        "open('out/values.json', 'w').write(json.dumps({'where': told[1]}))\n"
        "raise ValueError(told)\n"
    )
    script(lab, code)
    whole = b"".join(p.read_bytes() for p in (lab.folder / "runs").rglob("*") if p.is_file())
    assert b"ValueError" in whole
    assert b"/tmp/" not in whole
    for path in (lab.root, Path(sys.prefix), Path.home(), Path(sys.base_prefix)):
        if len(path.parts) > 1:
            assert str(path).encode() not in whole
    assert lab.rules() == ["experiments.failed"]


def test_a_command_stands_in_a_clean_folder_with_its_inputs_only(lab: ProjectFolder) -> None:
    lab.write("lab/data/a.csv", "1\n")
    lab.write("lab/.hidden", "x")
    lab.write("lab/__pycache__/fill.pyc", "x")
    lab.write("other/b.csv", "2\n")
    code = (
        "from pathlib import Path\n"
        "print(sorted(p.as_posix() for p in Path().rglob('*') if p.is_file()))\n"
        "Path('lab/fill.py').write_text('changed')\n"
    )
    assert script(lab, code).exit_code == 0
    assert artefact(lab, "output.txt") == b"['lab/data/a.csv', 'lab/fill.py']\n"
    assert lab.read("lab/fill.py") == code


def test_a_link_that_a_command_makes_is_not_followed(lab: ProjectFolder) -> None:
    code = "import os\nos.symlink('/etc/passwd', 'out/users')\nopen('out/a', 'w').write('x')\n"
    assert script(lab, code).exit_code == 0
    assert [one["name"] for one in records(lab)[0]["artefacts"]] == ["a"]


def test_a_name_of_an_artefact_leads_nowhere(lab: ProjectFolder) -> None:
    code = (
        "from pathlib import Path\n"
        "Path('out/sub').mkdir()\n"
        "for name in ('sub/Größe der Kammer.txt', '...', 'a' * 200, '$(x);&.txt'):\n"
        "    Path('out', name).write_text(name)\n"
    )
    assert script(lab, code).exit_code == 0
    (record,) = records(lab)
    assert len(record["artefacts"]) == 4
    for one in record["artefacts"]:
        assert re.fullmatch(r"artefacts/[0-9a-f]{12}-[a-z0-9._-]{1,80}", one["file"])
    assert lab.problems() == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../02-weirs", "no path inside of the pack"),
        ("/etc/hosts", "no path inside of the pack"),
        ("~/lab", "no path inside of the pack"),
        ("lab/./fill.py", "no path inside of the pack"),
        ("notes", "no such file"),
        ("empty", "the folder is empty"),
        ("link", "it is a link"),
        ("linked/fill.py", "it is a link"),
        ("runs", "nothing in runs/ can be an input"),
        ("copies/S1.txt", "nothing in copies/ can be an input"),
    ],
)
def test_inputs_that_lead_elsewhere_are_refused(lab: ProjectFolder, name: str, why: str) -> None:
    (lab.folder / "empty").mkdir()
    lab.write("copies/S1.txt", "x")
    (lab.folder / "link").symlink_to("/etc/hosts")
    (lab.folder / "linked").symlink_to(lab.folder / "lab")
    lab.write("experiments.yaml", ENTRY.replace("inputs: [lab]", f'inputs: [lab, "{name}"]'))
    done = run(lab)
    assert done.exit_code == 1
    assert f'X1 is not run: "{name}": ' in done.stderr
    assert why in done.stderr
    assert not (lab.folder / "runs").exists()
    assert "experiments.input" in lab.rules()


def test_a_program_that_is_not_there_cannot_be_run(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", ENTRY.replace("python", "nosuchprogram"))
    done = run(lab)
    assert done.exit_code == 1
    assert 'X1 is not run: there is no program "nosuchprogram" on this machine.' in done.output
    assert not (lab.root / "research" / PACK / "runs").exists()


# --- files from outside -----------------------------------------------------------------------

OUTSIDE = """\
- id: X1
  title: Traces
  predictions:
    - {text: It is fast., written: 2026-11-10, rule: here.n == 1}
    - {text: They are two., written: 2026-11-10, rule: traces.n == 2}
  command: [python, lab/fill.py]
  inputs: [lab]
  outside:
    - {name: traces, what: recorded runs, files: ["*.jsonl"]}
"""
COUNT = """\
import json
from pathlib import Path
Path("out/values.json").write_text(json.dumps({"here": {"n": 1}}))
if Path("outside").is_dir():
    number = len(list(Path("outside/traces").iterdir()))
    Path("out/values-traces.json").write_text(json.dumps({"traces": {"n": number}}))
    print(number, "traces")
"""


@pytest.fixture
def traces(lab: ProjectFolder) -> Path:
    """An experiment that reads files from outside, and a folder with some."""
    lab.write("experiments.yaml", OUTSIDE)
    lab.write("lab/fill.py", COUNT)
    folder = lab.root.parent / "recorded"
    folder.mkdir()
    for name in ("a.jsonl", "b.jsonl", "notes.txt"):
        (folder / name).write_text(name)
    (folder / "c.jsonl").symlink_to("/etc/passwd")
    return folder


def test_files_from_outside_are_recorded_by_their_digest_only(
    lab: ProjectFolder, traces: Path
) -> None:
    assert run(lab, "--outside", f"traces={traces}").exit_code == 0
    (record,) = records(lab)
    assert [(one["file"], one["sha256"]) for one in record["inputs"][1:]] == [
        ("outside/traces/a.jsonl", sha(b"a.jsonl")),
        ("outside/traces/b.jsonl", sha(b"b.jsonl")),
    ]
    assert record["values"] == {"here.n": 1, "traces.n": 2}
    assert record["skipped"] == []
    assert str(traces.parent) not in json.dumps(record)
    assert shown(lab).status is RunStatus.RUN
    assert lab.problems() == []


def test_a_part_that_is_left_out_keeps_its_earlier_values(lab: ProjectFolder, traces: Path) -> None:
    run(lab, "--outside", f"traces={traces}")
    done = run(lab)
    assert done.exit_code == 0
    assert "skipped outside/traces: no place was named" in done.stderr
    first, second = records(lab)
    assert [one["what"] for one in second["skipped"]] == ["outside/traces"]
    assert second["values"] == {"here.n": 1}
    found = shown(lab)
    assert found.status is RunStatus.RUN
    assert {one.path: (one.value, one.run.id) for one in found.values} == {
        "here.n": (1, second["id"]),
        "traces.n": (2, first["id"]),
    }
    assert [one.outcome for one in found.criteria] == ["met", "met"]
    assert lab.problems() == []
    assert run(lab, "--outside", f"traces={traces}").exit_code == 0
    assert records(lab)[-1]["reproduces"] == first["id"]


def test_a_part_that_is_run_without_another_must_still_be_the_same(
    lab: ProjectFolder, traces: Path
) -> None:
    lab.change("lab/fill.py", '{"n": 1}', '{"n": __import__("os").urandom(8).hex()}')
    run(lab, "--outside", f"traces={traces}")
    done = run(lab)
    assert done.exit_code == 1
    assert "values.json is not the same" in done.stderr
    assert "traces.n was 2" not in done.stderr


def test_other_files_from_outside_make_another_run(lab: ProjectFolder, traces: Path) -> None:
    run(lab, "--outside", f"traces={traces}")
    (traces / "d.jsonl").write_text("d")
    done = run(lab, "--outside", f"traces={traces}")
    assert (done.exit_code, "differs" in done.stderr) == (0, False)
    assert shown(lab).measured("traces.n").value == 3  # type: ignore[union-attr]


def test_what_needs_files_from_outside_is_not_run_without_them(
    lab: ProjectFolder, traces: Path
) -> None:
    lab.change("experiments.yaml", '["*.jsonl"]}', '["*.jsonl"], required: yes}')
    run(lab, "--outside", f"traces={traces}")
    done = run(lab)
    assert done.exit_code == 0
    assert "X1 is not run: it needs outside/traces" in done.stderr
    assert len(records(lab)) == 1
    assert shown(lab).status is RunStatus.RUN


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("trace={}", 'No experiment reads "trace" from outside. Known here: traces.'),
        ("traces={}/nowhere", "There is no "),
        ("traces={}/none", "has none of the files that X1 reads: *.jsonl"),
    ],
)
def test_places_that_are_wrong_are_told(
    lab: ProjectFolder, traces: Path, place: str, words: str
) -> None:
    (traces / "none").mkdir()
    done = run(lab, "--outside", place.format(traces))
    assert isinstance(done.exception, UsageFault)
    assert words in str(done.exception)
    assert records(lab) == []


# --- what makes a run stale -------------------------------------------------------------------

CHANGES: dict[str, tuple[Callable[[ProjectFolder], object], str]] = {
    "an input": (lambda p: p.change("lab/fill.py", "* 7", "* 5"), "the input lab/fill.py changed"),
    "another file": (lambda p: p.write("lab/b.csv", "1"), "the input lab/b.csv changed"),
    "the seeds": (
        lambda p: p.change("experiments.yaml", "seeds: [1, 2, 3]", "seeds: [1, 2]"),
        "the command changed",
    ),
    "the command": (
        lambda p: p.change("experiments.yaml", '"{seeds}"]', '"{seeds}", "-v"]'),
        "the command changed",
    ),
    "the packages": (
        lambda p: p.change("experiments.yaml", "seeds: [1", "packages: [yaml]\n  seeds: [1"),
        "the list of packages changed",
    ),
    "a rule": (
        lambda p: p.change("experiments.yaml", "minutes.max <= 19", "minutes.max <= 20"),
        "the predictions or criteria changed",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_makes_the_run_stale_and_taking_it_back_does_not(
    lab: ProjectFolder, name: str
) -> None:
    run(lab)
    before = {file: lab.read(file) for file in ("experiments.yaml", "lab/fill.py")}
    change, reason = CHANGES[name]
    change(lab)
    assert (shown(lab).status, shown(lab).reason.partition(": ")[2]) == (RunStatus.STALE, reason)
    assert "experiments.stale" in lab.rules()
    (lab.folder / "lab/b.csv").unlink(missing_ok=True)
    for file, text in before.items():
        lab.write(file, text)
    assert shown(lab).status is RunStatus.RUN
    assert lab.problems() == []


# --- edits that are not honest ----------------------------------------------------------------


def forge(project: ProjectFolder, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the one record, and give its file the name that fits."""
    (file,) = (project.folder / "runs/X1").glob("*.json")
    raw = json.loads(file.read_bytes())
    change(raw)
    data = as_file(raw)
    file.unlink()
    project.write(f"runs/X1/{file_name(raw['started'], sha(data))}", data)


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], object], set[str]]] = {
    "a value": (lambda r: r["values"].update({"minutes.max": 18}), {"value", "outcome"}),
    "a value that looks the same": (lambda r: r["values"].update(n=3.0), {"value"}),
    "a value that nobody measured": (lambda r: r["values"].update(speed=1), {"value"}),
    "a value that is kept back": (lambda r: r["values"].pop("n"), {"value"}),
    "all values": (lambda r: r.update(values={}), {"value", "outcome"}),
    "an outcome": (lambda r: r["criteria"][1].update(outcome="met"), {"outcome"}),
    "a rule": (lambda r: r["criteria"][0].update(rule="n == 3"), {"outcome"}),
    "a prediction that is kept back": (lambda r: r["criteria"].pop(0), {"outcome"}),
    "a digest": (lambda r: r["artefacts"][0].update(sha256="0" * 64), {"artefact"}),
    "a size": (lambda r: r["artefacts"][0].update(bytes=1), {"artefact"}),
    "a failure": (lambda r: r.update(outcome="failed"), {"changed", "value"}),
    "a reason": (lambda r: r["criteria"][0].update(because="100 of 100 trials"), {"outcome"}),
    "an exit status": (lambda r: r.update(exit_status=7), {"changed"}),
    "a limit": (lambda r: r.update(limits_hit=["zeal"]), {"changed"}),
    "a network": (lambda r: r.update(network="<b>the moon</b>"), {"changed"}),
    "a time": (lambda r: r.update(seconds=-5.0), {"changed"}),
    "an end": (lambda r: r.update(ended="2026-01-01T00:00:00.000Z"), {"changed"}),
    "a part": (lambda r: r["skipped"].append({"what": "the rest", "why": "-"}), {"changed"}),
    "a repetition": (
        lambda r: r.update(reproduces="20260101t000000z-aaaaaaaaaaaa"),
        {"changed"},
    ),
    "a key of its own": (lambda r: r.update(operator="ada"), {"changed"}),
    "an outcome of its own": (lambda r: r.update(outcome="splendid"), {"changed", "value"}),
    "another experiment": (lambda r: r.update(experiment="X2"), {"changed"}),
    "a host": (lambda r: r.update(platform="Linux lockhouse 6.1"), {"machine"}),
    "a path": (lambda r: r["command"].append("/home/ada/a.csv"), {"machine"}),
    "no registration": (lambda r: r.update(registration=None), set()),
    "an earlier start": (lambda r: r.update(started="2026-11-01T08:00:00.000Z"), set()),
}
OF_REGISTRATIONS = {
    "no registration": "experiments.registration-changed",
    "an earlier start": "experiments.registered-late",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_found_although_its_name_fits(lab: ProjectFolder, name: str) -> None:
    run(lab)
    assert lab.problems() == []
    change, areas = FORGERIES[name]
    forge(lab, change)
    found = {rule for rule in lab.rules() if rule.startswith("runs.")}
    assert {rule.removeprefix("runs.").partition("-")[0] for rule in found} == areas
    if name in OF_REGISTRATIONS:
        assert OF_REGISTRATIONS[name] in lab.rules()


# --- asking, and telling ----------------------------------------------------------------------


def test_nothing_is_run_without_yes_where_nobody_can_be_asked(lab: ProjectFolder) -> None:
    done = told(lab, "run", PACK)
    assert isinstance(done.exception, UsageFault)
    assert "--yes" in str(done.exception)
    assert "X1: python lab/fill.py 1,2,3" in done.stderr
    assert not (lab.folder / "runs").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "runs"), [(b"\n", 0), (b"y\n", 1)])
def test_at_a_terminal_the_command_is_shown_and_asked_about(
    lab: ProjectFolder, answer: bytes, runs: int
) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [COMMAND, "experiment", "run", PACK],
        cwd=lab.root,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        said = b""
        while b"[y/N]" not in said:
            assert select.select([ours], [], [], 30)[0], said
            said += os.read(ours, 4096)
        os.write(ours, answer)
        code = process.wait(30)
    finally:
        process.kill()
        os.close(ours)
    assert b"python lab/fill.py 1,2,3" in said
    assert len(records(lab)) == runs
    assert code == (0 if runs else 130)


def test_the_list_for_programs_has_its_shape_whatever_the_statuses_are(
    lab: ProjectFolder,
) -> None:
    lab.write("lab/stop.py", "raise SystemExit(3)")
    stop = SCRIPT.replace("X1", "X2").replace("lab/fill.py", "lab/stop.py")
    lab.write("experiments.yaml", ENTRY + stop + "- {id: X3, title: Live, needs: a boat}\n")
    assert run(lab).exit_code == 1
    done = told(lab, "list", PACK, "--format", "json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    (first,), (second,) = records(lab), records(lab, "X2")
    assert found == [
        {
            "id": "X1",
            "title": "Filling time",
            "status": "RUN",
            "reason": f"run {first['id']}",
            "runs": [{"id": first["id"], "outcome": "completed", "started": first["started"]}],
            "predictions": [{"text": "It is fast.", "rule": "minutes.max <= 19", "outcome": "met"}],
        },
        {
            "id": "X2",
            "title": "A script",
            "status": "FAILED",
            "reason": f"run {second['id']} ended with exit status 3",
            "runs": [{"id": second["id"], "outcome": "failed", "started": second["started"]}],
            "predictions": [{"text": "It holds.", "rule": None, "outcome": "not judged"}],
        },
        {
            "id": "X3",
            "title": "Live",
            "status": "UNRUN",
            "reason": "it needs a boat",
            "runs": [],
            "predictions": [],
        },
    ]
    lines = told(lab, "list", PACK, "X3").stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["X3", "UNRUN", "Live"],
        ["it", "needs", "a", "boat"],
    ]


def test_the_outcome_of_a_run_for_programs_is_all_that_stands_on_standard_output(
    lab: ProjectFolder,
) -> None:
    done = run(lab, "--format", "json")
    assert [one["status"] for one in json.loads(done.stdout)] == ["RUN"]
    assert "X1: started" in done.stderr


def test_show_tells_command_criteria_and_values(lab: ProjectFolder) -> None:
    run(lab)
    words = told(lab, "show", PACK, "X1").stdout
    for line in (
        "command: python lab/fill.py 1,2,3",
        "  met: minutes.max = 19",
        "  minutes.max = 19",
    ):
        assert line in words.splitlines()
    (one,) = json.loads(told(lab, "show", PACK, "X1", "--format", "json").stdout)
    assert one["values"] == {"minutes.max": 19, "n": 3}
    assert one["run"]["values"] == one["values"]
    assert [c["outcome"] for c in one["criteria"]] == ["met", "not met"]


@pytest.mark.parametrize("verb", ["list", "show", "run"])
def test_ids_and_packs_that_are_not_there_are_told(lab: ProjectFolder, verb: str) -> None:
    done = told(lab, verb, PACK, "X11")
    assert isinstance(done.exception, UsageFault)
    assert 'has no experiment "X11". Did you mean "X1"?' in str(done.exception)
    assert isinstance(told(lab, verb, "river-craft/99").exception, NoSuchPack)


def test_one_that_cannot_be_run_is_a_fault_only_when_it_was_named(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", ENTRY + "- {id: X3, title: Live, needs: a boat}\n")
    done = run(lab)
    assert (done.exit_code, "X3 is not run: it needs a boat." in done.stderr) == (0, True)
    assert run(lab, "X3").exit_code == 1
    assert len(records(lab)) == 1


@pytest.mark.parametrize("verb", ["list", "show"])
def test_a_file_that_cannot_be_read_whole_is_not_told_as_if_it_were(
    lab: ProjectFolder, verb: str
) -> None:
    assert "cannot be read" not in told(lab, verb, PACK).stderr
    lab.write("experiments.yaml", ENTRY + "- {id: X2, title: [\n")
    done = told(lab, verb, PACK)
    assert (done.exit_code, "A part of experiments.yaml cannot be read" in done.stderr) == (0, True)


def test_a_file_that_cannot_be_read_runs_nothing(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", ENTRY + "- {id: X2, title: [\n")
    done = run(lab)
    assert isinstance(done.exception, UsageFault)
    assert not (lab.folder / "runs").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("environment", ["os.environ", "{}"], ids=["the same", "none"])
def test_a_child_that_leaves_its_group_is_ended_too(lab: ProjectFolder, environment: str) -> None:
    code = (
        "import os, subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', 'import time; {MARK}'],"
        f" start_new_session=True, env={environment})\n"
    )
    assert script(lab, code).exit_code == 0
    (record,) = records(lab)
    if environment != "{}" or record["network"] == NO_NETWORK:
        assert none_left(MARK)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_nothing_runs_on_when_the_tool_is_ended(lab: ProjectFolder, number: signal.Signals) -> None:
    lab.write("experiments.yaml", SCRIPT)
    lab.write("lab/fill.py", STUBBORN)
    process = subprocess.Popen(
        [COMMAND, "experiment", "run", PACK, "--yes"],
        cwd=lab.root,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(MARK)
        process.send_signal(number)
        process.wait(30)
    finally:
        process.kill()
    assert none_left(MARK)
    kept = [] if number == signal.SIGKILL else ["interrupted"]
    assert [one["outcome"] for one in records(lab)] == kept


@pytest.mark.parametrize("program", ["sh", "bash", "/bin/true", "lab/fill.py"])
def test_no_shell_and_no_path_is_started(lab: ProjectFolder, program: str) -> None:
    lab.write("experiments.yaml", SCRIPT.replace("[python, lab/fill.py]", f"[{program}, -c, ls]"))
    result = run(lab)
    assert result.exit_code == 1
    assert f'"{program}" is a ' in result.output
    assert not (lab.root / "research" / PACK / "runs").exists()


def test_what_only_failed_shows_nothing_about_claims(lab: ProjectFolder) -> None:
    bears = "  bears_on:\n    - {claim: C1, relation: contradicts, because: it failed}\n"
    lab.write("experiments.yaml", SCRIPT + bears)
    lab.write("lab/fill.py", "raise SystemExit(1)\n")
    assert run(lab).exit_code == 1
    project = gather(lab.root, [PACK])
    found = view(project.packs[0], project.vocabulary, "2026-11-30")
    assert found.status("X1") is RunStatus.FAILED
    claim = found.claim("C1")
    assert claim is not None
    assert claim.checks == ()


def test_a_file_that_the_command_names_has_to_be_an_input(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", SCRIPT.replace("inputs: [lab]", "inputs: [pack.yaml]"))
    result = run(lab)
    assert result.exit_code == 1
    assert '"lab/fill.py": it stands in the command and is no input' in result.output
    assert "experiments.input" in lab.rules()
    assert not (lab.folder / "runs").exists()


def test_a_long_word_of_a_command_or_a_long_input_is_no_crash(lab: ProjectFolder) -> None:
    word = "ä" * 300
    lab.write("experiments.yaml", SCRIPT.replace("[python, lab/fill.py]", f"[python, -c, {word}]"))
    assert run(lab).exit_code == 1  # it is no program
    lab.write("experiments.yaml", SCRIPT.replace("inputs: [lab]", f"inputs: [lab, {word}]"))
    assert "there is no such file" in run(lab).output


def test_what_is_new_beside_out_is_kept_too_and_what_was_given_is_not(lab: ProjectFolder) -> None:
    code = (
        "import os\nfrom pathlib import Path\n"
        "Path('values.json').write_text('{\"a\": 1}')\n"
        "Path('deep').mkdir()\nPath('deep/note.txt').write_text('note')\n"
        "Path('out/note.txt').write_text('other')\n"
        "Path(os.environ['HOME'], 'cache').write_text('litter')\n"
        "os.symlink('/etc/hostname', 'out/link')\n"
    )
    assert script(lab, code).exit_code == 0
    (record,) = records(lab)
    names = {one["name"] for one in record["artefacts"]}
    assert names == {"values.json", "deep/note.txt", "note.txt"}
    assert record["values"] == {"a": 1}


# --- what would lead out of the pack, or mislead whoever is asked -------------------------------


@pytest.mark.parametrize("own", ["../../../../x", "/abs", "X1/../..", "skip-log"])
def test_nothing_is_run_under_an_id_that_is_none(lab: ProjectFolder, own: str) -> None:
    lab.write("experiments.yaml", SCRIPT.replace("X1", own))
    result = run(lab)
    assert result.exit_code == 1
    assert "its id is not X or L and digits" in result.output
    assert not (lab.folder / "runs").exists()
    assert not (lab.root / "x").exists()


def test_an_id_that_is_given_twice_is_run_by_nobody(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", SCRIPT + SCRIPT)
    assert run(lab).output.count("its id is given twice") == 2


@pytest.mark.parametrize("name", ["../lab", "../../../esc", "a/b", ".", "out side"])
def test_a_name_of_outside_files_is_no_path(lab: ProjectFolder, name: str, tmp_path: Path) -> None:
    (tmp_path / "fill.py").write_text("print('another program')\n")
    lab.write("experiments.yaml", SCRIPT + f"  outside: [{{name: {name}}}]\n")
    assert "yaml.shape" in lab.rules()
    done = run(lab, "--outside", f"{name}={tmp_path}")
    assert isinstance(done.exception, UsageFault)
    assert not (lab.folder / "runs").exists()


def test_what_would_hide_a_command_is_shown(lab: ProjectFolder) -> None:
    hiding = '[python, -c, "import os", "\\e[2K\\e[GX1: harmless", "\\u202etxt"]'
    lab.write("experiments.yaml", SCRIPT.replace("[python, lab/fill.py]", hiding))
    for said in (run(lab).output, told(lab, "show", PACK).output, told(lab, "list", PACK).output):
        assert not [char for char in said if not char.isprintable() and char != "\n"]
    assert "'\\x1b[2K\\x1b[GX1: harmless'" in run(lab).output
    assert "'import os'" in run(lab).output


@pytest.mark.parametrize("link", ["runs", "runs/X1", "runs/X1/artefacts", "runs/X1/registrations"])
def test_nothing_is_written_through_a_link(lab: ProjectFolder, link: str, tmp_path: Path) -> None:
    (lab.folder / link).parent.mkdir(parents=True, exist_ok=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (lab.folder / link).symlink_to(elsewhere)
    assert isinstance(run(lab).exception, Unwritable)
    assert list(elsewhere.iterdir()) == []


def test_what_needs_something_is_not_run_although_it_has_a_command(lab: ProjectFolder) -> None:
    lab.write("experiments.yaml", SCRIPT + "  needs: a boat\n")
    result = run(lab)
    assert (result.exit_code, "it needs a boat" in result.output) == (0, True)
    assert not (lab.folder / "runs").exists()


def test_running_again_mends_an_artefact(lab: ProjectFolder) -> None:
    run(lab)
    (file,) = (lab.folder / "runs/X1/artefacts").glob("*values.json")
    file.write_text(file.read_text("utf-8").replace("3", "4"))
    assert "runs.artefact-changed" in lab.rules()
    run(lab)
    assert lab.problems() == []


HOSTILE = {
    "a name that is no text": "open(b'out/\\xff.txt', 'w').write('x')",
    "its folder is gone": "import os, shutil\nshutil.rmtree(os.getcwd())",
    "a pipe": "import os\nos.mkfifo('out/p')\nos.mkfifo('../p')",
    "a link to a device": "import os\nos.symlink('/dev/zero', 'out/z')",
    "folders beside": "import os\nos.makedirs('../said/d')",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_script_cannot_keep_its_run_from_being_recorded(lab: ProjectFolder, name: str) -> None:
    script(lab, HOSTILE[name] + "\n")
    assert [one["outcome"] for one in records(lab)] == ["completed"]


def test_an_input_that_the_script_changed_is_kept(lab: ProjectFolder) -> None:
    script(lab, "open('lab/fill.py', 'a').write('# changed')\n")
    (record,) = records(lab)
    assert [one["name"] for one in record["artefacts"]] == ["lab/fill.py"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("[1]", "it is no map"),
        ("{", "cannot be read whole"),
        ('{"a": NaN}', "nan is no number"),
        ('{"a": 1e400}', "1e400 is no number"),
        ('{"a b": 1}', "cannot be quoted"),
        ('{"a.b": 1, "a": {"b": 2}}', "stands twice"),
    ],
)
def test_values_that_are_none_are_told(lab: ProjectFolder, content: str, fault: str) -> None:
    done = script(lab, f"open('out/values.json', 'w').write({content!r})\n")
    assert fault.lower() in done.output.lower()
    assert "runs.values" in lab.rules()


def test_paths_are_masked_and_words_like_them_are_not(
    lab: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/keeper")
    script(lab, "print('/keeper/notes /keeper-cause a/keeper /keepers /keeper')\n")
    assert artefact(lab, "output.txt") == b"~/notes /keeper-cause a/keeper /keepers ~\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_where_there_is_no_namespace_the_run_goes_on_and_says_so(
    lab: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("researchpack.run.can_unshare", lambda: False)
    code = (
        "import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', 'import time; {MARK}'], start_new_session=True)\n"
        "sys.exit(7)\n"
    )
    assert script(lab, code).exit_code == 1
    (record,) = records(lab)
    assert (record["outcome"], record["exit_status"]) == ("failed", 7)
    assert record["network"] == NOT_ENFORCED
    assert none_left(MARK)


@pytest.mark.parametrize(
    ("code", "status"), [("sys.exit(9)", 9), ("os.kill(os.getpid(), 15)", -15)]
)
def test_how_a_command_ended_is_told_through_its_family(
    lab: ProjectFolder, code: str, status: int
) -> None:
    script(lab, f"import os, sys\n{code}\n")
    assert [one["exit_status"] for one in records(lab)] == [status]


def test_what_nobody_could_look_at_is_not_called_unchanged(
    lab: ProjectFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "counts"
    elsewhere.mkdir()
    (elsewhere / "a.csv").write_text("1")
    lab.write("lab/fill.py", "print('ok')\n")
    lab.write("experiments.yaml", SCRIPT + "  packages: [yaml]\n  outside: [{name: counts}]\n")
    assert run(lab, "--outside", f"counts={elsewhere}").exit_code == 0
    outside = "1 file from outside of the pack"
    assert shown(lab).not_compared == (outside,)
    monkeypatch.setattr(
        "researchpack.runbook.package", lambda name: Package(name=name, version="", sha256="")
    )
    found = shown(lab)
    assert found.status is RunStatus.RUN
    assert found.not_compared == ("the code of yaml, which is not installed", outside)
    said = told(lab, "list", PACK).output
    assert f"not compared: the code of yaml, which is not installed; {outside}" in said
    html = next(page.html for page in site_of(lab.root).pages if page.path.endswith("experiments"))
    assert "Not compared with what it was made of: the code of yaml" in html
