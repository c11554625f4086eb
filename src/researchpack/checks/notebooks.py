"""An experiment that is meant for the chapter's notebook can be in it.

Its command names one of its inputs that is a script in percent format, and the script keeps the
contract of a notebook: the standard library and NumPy only, no network, seeds, and an assertion at
the end of every cell of code. A script that does not is told here, since the site is built
without a notebook then.

Rules: `experiments.notebook`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from researchpack.percent import read_script, script_of
from researchpack.places import Place
from researchpack.problems import Problem, error
from researchpack.records import Given

if TYPE_CHECKING:
    from collections.abc import Iterator

    from researchpack.records import View


def check(view: View) -> Iterator[Problem]:
    """What keeps the experiments of one pack out of its notebook."""
    given = dict(view.pack.laboratory.given)
    files = dict(view.pack.files)
    for experiment in view.pack.experiments:
        if not experiment.notebook or not experiment.command or experiment.outside:
            continue
        inputs = [one.file for one in given.get(str(experiment.id), Given()).inputs]
        script = script_of(experiment.command, inputs)
        if script is None:
            yield error(
                experiment.id.place,
                "experiments.notebook",
                f"The command of {experiment.id} names none of its inputs that ends in .py, so"
                " that a notebook can have no cells of it.",
                "Name the script in `command` and `inputs`, or take `notebook` out.",
            )
            continue
        text = files.get(script, b"").decode("utf-8-sig", "replace")
        for fault in read_script(text)[1]:
            yield error(
                Place(view.pack.path(script), fault.line),
                "experiments.notebook",
                f"{fault.what} So {experiment.id} cannot be in the notebook.",
                "Change the script, or take `notebook` out.",
            )
