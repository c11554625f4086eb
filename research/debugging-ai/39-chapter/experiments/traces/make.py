"""Writes the small set of traces: fourteen made-up runs, the chapter's one, and their labels.

Nobody recorded these runs. Each was written to show one way of looping, or one way of repeating
that is no loop, so they show what a rule does and not how often it would be right. The traces are
in the model of `docs/breakpoints/trace.md`.

    python experiments/traces/make.py            # writes beside this file
    python experiments/traces/make.py --into DIR
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Step = dict[str, Any]


@dataclass(slots=True)
class Run:
    """The steps of one run, with a clock; numbers and times are filled in."""

    state: dict[str, Any] | None = None
    """The durable evidence after a step, until a step sets another; None: nobody recorded it."""
    t: float = 0.0
    steps: list[Step] = field(default_factory=list)

    def call(
        self,
        tool: str,
        args: dict[str, Any],
        observation: str,
        *,
        error: str | None = None,
        after: float = 4,
        state: dict[str, Any] | None = None,
        **declared: Any,
    ) -> None:
        """One call, that many seconds after the last one; a lease or a policy may be declared."""
        self.t += after if self.steps else 0
        self.state = state or self.state
        step: Step = {"step": len(self.steps), "t": self.t, "tool": tool, "args": args}
        step |= {"observation": observation, "error": error}
        if self.state is not None:
            step["state"] = self.state
        self.steps.append(step | declared)


def empty_folder() -> Run:
    """H1 with period 1."""
    run = Run({"filed": 0})
    run.call("list_files", {"folder": "invoices/2026-10"}, "inv-311.pdf, inv-312.pdf")
    for filed, (name, text) in enumerate(
        (
            ("inv-311.pdf", "Invoice 311, Harbour Supplies, 240.00 EUR, due on 14 November."),
            ("inv-312.pdf", "Invoice 312, Lindqvist Printing, 96.50 EUR, due on 20 November."),
        ),
        1,
    ):
        run.call("read_file", {"path": f"invoices/2026-10/{name}"}, text)
        run.call("file_invoice", {"path": name}, f"{name} is filed.", state={"filed": filed})
    for _ in range(9):
        run.call("list_files", {"folder": "invoices/2026-11"}, "The folder is empty.")
    return run


def shelf() -> Run:
    """H1 with period 3, over three tools."""
    run = Run({"reserved": []})
    run.call("read_request", {"reader": "R-208"}, "Wants: an atlas of tides, any edition.")
    run.call("search_catalogue", {"title": "atlas of tides"}, "2 records: B-71, B-90")
    run.call("open_record", {"record": "B-90"}, "Atlas of Tides, 1931, reading room only.")
    run.call("send_note", {"reader": "R-208", "text": "Reading room only?"}, "Answer: no, a loan.")
    for _ in range(6):
        run.call("search_catalogue", {"title": "tides, atlas"}, "1 record: B-71")
        run.call("open_record", {"record": "B-71"}, "Atlas of Tides, 2004, may be taken home.")
        run.call("check_shelf", {"record": "B-71"}, "On loan; nobody has set a date of return.")
    return run


def reworded() -> Run:
    """H2: one question in other words, one answer, one state."""
    run = Run({"notes": 0})
    run.call("read_task", {}, "Which serial numbers does the battery recall of 2025 cover?")
    run.call("search", {"query": "battery recall"}, "8 articles: 12, 15, 19, 23, 24, 31, 40, 44")
    run.call("open_article", {"id": 31}, "The recall was announced on 3 March 2025.")
    run.call("add_note", {"text": "announced on 3 March 2025"}, "saved", state={"notes": 1})
    for query in (
        "battery recall 2025 serial numbers",
        "serial numbers battery recall 2025",
        "battery recall serial numbers of 2025",
        "2025 battery recall, serial numbers",
        "recall 2025: serial numbers of the battery",
        "battery serial numbers, recall of 2025",
        "serial numbers for the 2025 battery recall",
        "numbers, serial, battery recall 2025",
        "the battery recall in 2025: serial numbers",
        "recall of battery 2025 serial numbers",
    ):
        run.call("search", {"query": query}, "1 article: 31")
    return run


def encrypted() -> Run:
    """H3 with an error that cannot pass."""
    run = Run({"clauses": 0})
    run.call("list_files", {"folder": "contracts"}, "contract-06.pdf, contract-07.pdf")
    text = "12 pages. Clause 4: notice of three months."
    run.call("read_pdf", {"path": "contracts/contract-06.pdf"}, text)
    run.call("add_clause", {"contract": 6, "notice": "3 months"}, "saved", state={"clauses": 1})
    for _ in range(9):
        run.call(
            "read_pdf",
            {"path": "contracts/contract-07.pdf"},
            "The file is encrypted. No text could be read.",
            error="file_encrypted",
        )
    return run


def unavailable() -> Run:
    """H3 with an error that may pass, asked for again every second."""
    run = Run({"rates": 0})
    for at, (currency, rate) in enumerate((("NOK", "11.72"), ("DKK", "7.46"), ("CHF", "0.93")), 1):
        run.call("get_rate", {"currency": currency}, rate, state={"rates": at})
    for _ in range(14):
        run.call(
            "get_rate",
            {"currency": "SEK"},
            "503 Service Unavailable",
            error="http_503",
            after=1,
        )
    return run


def two_edits() -> Run:
    """Two edits undo each other; the cycle has four calls of two tools."""
    run = Run({"tree": "c41a"})
    run.call("read_file", {"path": "gate.yaml"}, "open_at: 6\nclose_at: 20\nlocked: yes")
    run.call("run_checks", {}, "1 of 9 fails: the gate must open before the first train.")
    run.call("read_file", {"path": "checks.py"}, "first train at 5, night rest until 6")
    run.call("list_files", {"folder": "."}, "checks.py, gate.yaml, README")
    for _ in range(5):
        for hour, tree, said in (
            (5, "7d02", "1 of 9 fails: the gate must stay shut in the night rest."),
            (6, "b6e8", "1 of 9 fails: the gate must open before the first train."),
        ):
            run.call(
                "edit_file",
                {"path": "gate.yaml", "set": f"open_at: {hour}"},
                "saved",
                state={"tree": tree},
            )
            run.call("run_checks", {}, said)
    return run


def running_number() -> Run:
    """One call again and again, whose answers differ in a number that means nothing."""
    run = Run()
    run.call("open_ticket", {"ticket": 4417}, "Door 3 does not close. Reported by the night shift.")
    run.call("search_manual", {"part": "door 3"}, "Chapter 8, page 112")
    run.call("read_manual", {"page": 112}, "Only the owner of the ticket may order the part.")
    for number in range(88120, 88132):
        run.call(
            "ticket_owner",
            {"ticket": 4417},
            f"No owner is set for ticket 4417. Enquiry {number}.",
        )
    return run


def paging() -> Run:
    """Pages of a list, then a sum."""
    run = Run({"rows": 0})
    run.call("count_orders", {"year": 2025}, "611 orders")
    for page in range(13):
        rows = min(50, 611 - 50 * page)
        run.call(
            "list_orders",
            {"year": 2025, "cursor": f"p{page}"},
            f"{rows} rows, " + ("the last page" if page == 12 else f"next cursor p{page + 1}"),
            state={"rows": 50 * page + rows},
        )
    run.call("sum_column", {"column": "total"}, "48,207.30")
    run.call("write_report", {"path": "orders-2025.md"}, "written", state={"rows": 611, "out": 1})
    return run


def lease() -> Run:
    """Waiting for a job under a declared wait."""
    run = Run({"table": "none"})
    run.call("count_rows", {"table": "readings"}, "2,190,402 rows")
    run.call(
        "start_export",
        {"table": "readings"},
        "job 71 is started",
        lease={"owner": "export job 71", "poll_min_s": 30, "deadline_t": 900},
    )
    for _ in range(11):
        run.call("job_status", {"job": 71}, "no result yet", after=45)
    run.call("job_status", {"job": 71}, "finished: readings.parquet", after=45)
    run.call(
        "fetch_export", {"job": 71}, "readings.parquet, 88 MB", state={"table": "readings.parquet"}
    )
    run.call("check_rows", {"path": "readings.parquet"}, "2,190,402 rows")
    return run


def backoff() -> Run:
    """Retries that keep the declared gaps, and then come through."""
    run = Run({"done": 0})
    policy = {"errors": ["rate_limit"], "max_attempts": 5, "base_s": 2, "factor": 2}
    pages = {"menu": "Speisekarte", "opening hours": "Öffnungszeiten", "directions": "Anfahrt"}
    for done, (page, title) in enumerate(pages.items()):
        declared: dict[str, Any] = {"retry_policy": policy} if done == 0 else {}
        run.call("read_page", {"page": page}, f"text of the page {page}", **declared)
        for gap in {"opening hours": (4, 2, 4, 8), "directions": (4, 2)}.get(page, ()):
            run.call(
                "translate",
                {"page": page, "to": "de"},
                "429 Too Many Requests",
                error="rate_limit",
                after=gap,
            )
        run.call(
            "translate",
            {"page": page, "to": "de"},
            f"{title} (translated)",
            after={"opening hours": 16, "directions": 4}.get(page, 4),
            state={"done": done + 1},
        )
    return run


def edit_test() -> Run:
    """Edits and tests in turn, with fewer failures each time."""
    run = Run({"tree": "e000", "failing": 7})
    run.call("run_tests", {}, "7 of 42 fail")
    for tree, place, failing in (
        ("e1f4", "the sign of a refund", 5),
        ("e29b", "the day of a leap year", 5),
        ("e37c", "the rounding of a half cent", 4),
        ("e4d0", "the empty basket", 2),
        ("e518", "the second voucher", 1),
        ("e6aa", "the order of two taxes", 0),
    ):
        run.call("read_file", {"path": "basket.py", "about": place}, f"the lines about {place}")
        run.call(
            "edit_file",
            {"path": "basket.py", "about": place},
            "saved",
            state={"tree": tree, "failing": failing},
        )
        run.call("run_tests", {}, f"{failing} of 42 fail" if failing else "42 pass", after=20)
    return run


def growing_log() -> Run:
    """The same read each time, with a new line in the answer."""
    run = Run()
    run.call("start_update", {"host": "pump-2"}, "started")
    for line in (
        "package list read",
        "41 packages to update",
        "fetched 9 of 41",
        "fetched 26 of 41",
        "fetched 41 of 41",
        "unpacked 20 of 41",
        "unpacked 41 of 41",
        "services stopped",
        "services started",
        "update complete",
    ):
        run.call("last_line", {"host": "pump-2", "log": "update.log"}, line, after=20)
    run.call("check_service", {"host": "pump-2", "service": "control"}, "active")
    return run


def asked_twice() -> Run:
    """Two calls are each made twice in a row, because the work was taken up again."""
    run = Run({"cards": 0})
    run.call("list_files", {"folder": "letters"}, "1871-a.txt, 1871-b.txt, 1872-a.txt")
    run.call("read_file", {"path": "letters/1871-a.txt"}, "To my sister in Bergen, of the ice.")
    run.call("write_card", {"letter": "1871-a"}, "saved", state={"cards": 1})
    run.call("list_files", {"folder": "cards"}, "1871-a.card")
    run.call("list_files", {"folder": "cards"}, "1871-a.card", after=5400)
    run.call("read_file", {"path": "letters/1871-b.txt"}, "To the same, of the new schoolhouse.")
    run.call("write_card", {"letter": "1871-b"}, "saved", state={"cards": 2})
    run.call("read_file", {"path": "letters/1872-a.txt"}, "From Bergen, an answer; water stain.")
    run.call("read_file", {"path": "letters/1872-a.txt"}, "From Bergen, an answer; water stain.")
    run.call("write_card", {"letter": "1872-a"}, "saved", state={"cards": 3})
    run.call("list_files", {"folder": "cards"}, "1871-a.card, 1871-b.card, 1872-a.card")
    return run


def mailbox() -> Run:
    """A wait that nobody declared: three looks with one answer, and then the mail."""
    run = Run({"certificate": "missing"})
    run.call("read_task", {}, "Send the registrar's certificate to the museum.")
    run.call("send_mail", {"to": "registrar", "subject": "certificate"}, "sent")
    run.call("draft_letter", {"to": "museum"}, "draft 1 is saved")
    for _ in range(3):
        run.call("check_mail", {"from": "registrar"}, "No new mail.", after=600)
    run.call("check_mail", {"from": "registrar"}, "1 new mail, certificate.pdf", after=600)
    run.call(
        "save_file", {"path": "certificate.pdf"}, "saved", state={"certificate": "certificate.pdf"}
    )
    run.call("send_mail", {"to": "museum", "attach": "certificate.pdf"}, "sent")
    return run


QUESTIONS = (
    ("consumer refund law", "4 papers: d02, d03, d05, d08"),
    ("statutory cooling-off period", "3 papers: d03, d09, d11"),
    ("refund deadlines", "2 papers: d05, d12"),
    ("return shipping costs", "3 papers: d14, d15, d16"),
    ("vouchers instead of refunds", "2 papers: d18, d19"),
    ("partial refunds", "1 paper: d20"),
    ("refunds for digital goods", "3 papers: d21, d22, d23"),
    ("refund fraud", "2 papers: d24, d25"),
    ("store policies compared", "2 papers: d26, d27"),
    ("airline refunds", "2 papers: d28, d29"),
    ("court cases on refunds", "1 paper: d33"),
    ("refund surveys", "2 papers: d34, d35"),
    ("refunds and loyalty", "1 paper: d36"),
    ("merchant guidance", "2 papers: d37, d38"),
    ("ombudsman reports", "1 paper: d39"),
    ("refund wording", "2 papers: d40, d41"),
    ("model terms", "1 paper: d42"),
    ("refund costs", "1 paper: d43"),
    ("late refunds", "1 paper: d44"),
    ("summary articles", "2 papers: d45, d46"),
    ("open questions", "1 paper: d47"),
)
REWORDINGS = (
    "2024 refund policy",
    "2024 refund policy rules",
    "refund policy rules 2024",
    "refund policy 2024",
    "policy 2024 refund",
    "rules: refund policy 2024",
)


def _reading(run: Run, questions: Iterator[tuple[str, str]], pairs: int) -> None:
    """Work that the chapter does not print: a new question, and a new page, that many times."""
    for _ in range(pairs):
        query, found = next(questions)
        name = found.rsplit(" ", 1)[-1]
        run.call("search_papers", {"query": query}, found)
        run.call("read_abstract", {"paper": name}, f"Abstract of {name}, on {query}.")


def chapter() -> Run:
    """The constructed run of the chapter: 90 steps, three states, three stretches as printed."""
    run = Run({"working": "h2e0"})
    questions = iter(QUESTIONS)
    _reading(run, questions, 3)
    run.state = {"working": "h7a1"}
    _reading(run, questions, 3)
    hits = "3 papers: d17, d30, d31"
    for _ in range(10):
        run.call("search_papers", {"query": "refund policy 2024"}, hits)
        run.call("fetch_pdf", {"url": "https://papers.example/d17.pdf"}, "d17.pdf, 118 kB")
        run.call("parse", {"file": "d17.pdf"}, "There is no text layer.", error="parse_failed")
    for at in range(10):
        run.call("search_papers", {"query": REWORDINGS[at % 6]}, hits)
    run.state = {"working": "h9c4"}
    _reading(run, questions, 5)
    for _ in range(8):
        run.call("parse", {"file": "d31.pdf"}, "Damaged page tree.", error="parse_failed", after=1)
    _reading(run, questions, 10)
    return run


@dataclass(frozen=True, slots=True)
class Entry:
    """A run with what its author says of it."""

    name: str
    run: Run
    first: int | None
    """The step at which the loop begins, the first of the calls that come again; None: healthy."""
    shape: str | None
    about: str

    def label(self) -> dict[str, Any]:
        """The line of `labels.jsonl`."""
        return {
            "file": f"{self.name}.jsonl",
            "first": self.first,
            "label": "healthy" if self.first is None else "loop",
            "shape": self.shape,
            "about": self.about,
        }


def entries() -> Iterator[Entry]:
    """All runs, the loops first."""
    yield Entry(
        "loop-empty-folder",
        empty_folder(),
        5,
        "H1",
        "An agent that files invoices lists one empty folder nine times; the cycle has one call.",
    )
    yield Entry(
        "loop-shelf",
        shelf(),
        4,
        "H1",
        "A reservation goes round in six laps of three calls: search, open the record, look at "
        "the shelf.",
    )
    yield Entry(
        "loop-reworded",
        reworded(),
        4,
        "H2",
        "One question is put in ten wordings; the answer and the state stay the same.",
    )
    yield Entry(
        "loop-encrypted",
        encrypted(),
        3,
        "H3",
        "An encrypted file is read nine times; the error cannot pass by itself.",
    )
    yield Entry(
        "loop-unavailable",
        unavailable(),
        3,
        "H3",
        "A service that is down is asked fourteen times, a second apart, without any backoff.",
    )
    yield Entry(
        "loop-two-edits",
        two_edits(),
        4,
        "H1",
        "Two edits of one line undo each other, each followed by the checks that it breaks.",
    )
    yield Entry(
        "loop-running-number",
        running_number(),
        3,
        "H1",
        "One question is asked twelve times; a running number makes each answer a new text, and "
        "no state is recorded.",
    )
    yield Entry(
        "chapter-constructed",
        chapter(),
        12,
        "H1, H2, H3",
        "The chapter's constructed run, rebuilt: steps 12–41, 42–51 and 62–69 follow its text; "
        "the other steps, the wording of the results, the times and the first and third state "
        "are not printed there and were filled in.",
    )
    yield Entry(
        "healthy-paging",
        paging(),
        None,
        None,
        "Thirteen pages of a list are read with a cursor, and summed up.",
    )
    yield Entry(
        "healthy-lease",
        lease(),
        None,
        None,
        "A job is looked at twelve times under a declared wait with a deadline, and finishes.",
    )
    yield Entry(
        "healthy-backoff",
        backoff(),
        None,
        None,
        "Calls that were refused for their rate are made again under a declared policy, with "
        "growing gaps, and come through.",
    )
    yield Entry(
        "healthy-edit-test",
        edit_test(),
        None,
        None,
        "Edits and tests take turns, and the failures fall from seven to none.",
    )
    yield Entry(
        "healthy-growing-log",
        growing_log(),
        None,
        None,
        "The last line of a log is read ten times, and is another one each time.",
    )
    yield Entry(
        "healthy-asked-twice",
        asked_twice(),
        None,
        None,
        "Two calls are each made twice in a row with the same result, once after a pause, and "
        "the work goes on.",
    )
    yield Entry(
        "healthy-mailbox",
        mailbox(),
        None,
        None,
        "An answer is waited for without a declared wait: three looks at the mailbox are alike, "
        "the fourth brings it.",
    )


def _lines(values: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def files() -> Iterator[tuple[str, str]]:
    """The name and the text of each file."""
    made = list(entries())
    for entry in made:
        yield f"{entry.name}.jsonl", _lines(entry.run.steps)
    yield "labels.jsonl", _lines(entry.label() for entry in made)


def main() -> None:
    """Write all files into the folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--into", type=Path, default=Path(__file__).parent)
    folder = parser.parse_args().into
    for name, text in files():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
