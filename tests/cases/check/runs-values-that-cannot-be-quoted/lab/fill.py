"""Writes values of which one is no number and one has a key that no text can quote."""

from pathlib import Path

Path("out/values.json").write_text('{"minutes": 17, "side pond": 1}\n', encoding="utf-8")
Path("out/values-list.json").write_text("[17, 18]\n", encoding="utf-8")
