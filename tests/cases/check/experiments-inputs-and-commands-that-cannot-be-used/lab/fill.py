"""Fillings of a chamber with one sluice closed, one a seed."""

import json
import sys
from pathlib import Path

rows = []
for seed in sys.argv[1].split(","):
    minutes = 16 + int(seed) * 7 % 4
    rows.append({"seed": seed, "minutes": minutes})
times = [row["minutes"] for row in rows]
values = {"minutes": {"min": min(times), "max": max(times)}, "fillings": len(times), "late": 0.29}
Path("out/values.json").write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")
Path("out/minutes.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
print(f"{len(times)} fillings")
