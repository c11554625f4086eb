# %% [markdown]
# # L12: Hashes need a normaliser
#
# Do equal arguments get equal hashes, and does a state that contains the transcript ever repeat?

# %%
from __future__ import annotations

import hashlib
import json
from pathlib import Path


def fingerprint(content: object, *, in_order: bool) -> str:
    """The first eight hex digits of SHA-256 over JSON, with the keys as they are or in order."""
    text = json.dumps(content, sort_keys=in_order)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


assert len(fingerprint({}, in_order=True)) == 8

# %% [markdown]
# ## The same arguments with their keys in another order

# %%
one = {"query": "refund policy 2024", "k": 5}
other = {"k": 5, "query": "refund policy 2024"}
as_is = [fingerprint(one, in_order=False), fingerprint(other, in_order=False)]
in_order = [fingerprint(one, in_order=True), fingerprint(other, in_order=True)]
print("keys as they are:", *as_is)
print("keys in order:", *in_order)
assert one == other
assert as_is[0] != as_is[1]
assert in_order[0] == in_order[1]

# %% [markdown]
# ## The same question with another request id

# %%
requests = [fingerprint({**one, "request_id": rid}, in_order=True) for rid in ("r-1", "r-2")]
print("keys in order, two request ids:", *requests)
assert requests[0] != requests[1]

# %% [markdown]
# ## A loop whose state contains the transcript
#
# The agent repeats one message ten times. Its evidence does not change; its transcript grows.

# %%
STEPS = 10
transcript: list[str] = []
with_transcript: set[str] = set()
evidence_only: set[str] = set()
for _ in range(STEPS):
    transcript.append("search again")
    with_transcript.add(fingerprint({"facts": [], "messages": transcript}, in_order=True))
    evidence_only.add(fingerprint({"facts": []}, in_order=True))
print(f"{len(with_transcript)} of {STEPS} hashes are distinct with the transcript in the state,")
print(f"{len(evidence_only)} of {STEPS} without it")
assert len(with_transcript) == STEPS
assert len(evidence_only) == 1

# %% [markdown]
# ## Keep the results

# %%
values = {
    "keys_as_they_are": {"one": as_is[0], "other": as_is[1], "equal": as_is[0] == as_is[1]},
    "keys_in_order": {
        "one": in_order[0],
        "other": in_order[1],
        "equal": in_order[0] == in_order[1],
    },
    "request_ids": {"one": requests[0], "other": requests[1], "equal": requests[0] == requests[1]},
    "steps": STEPS,
    "distinct_with_transcript": len(with_transcript),
    "novelty_with_transcript": len(with_transcript) // STEPS,
    "distinct_without_transcript": len(evidence_only),
}
out = Path("out")
out.mkdir(exist_ok=True)
text = json.dumps(values, indent=1, ensure_ascii=False)
(out / "values.json").write_text(text + "\n", encoding="utf-8")
assert json.loads((out / "values.json").read_text(encoding="utf-8")) == values
