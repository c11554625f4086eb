"""Invariant Breakpoints: says of each step of an agent trace whether it works, waits or loops."""

from __future__ import annotations

from invariant_breakpoints.detect import Detector
from invariant_breakpoints.trace import BadStep, Step, parse_step
from invariant_breakpoints.verdicts import Settings, Verdict

__version__ = "0.1.0"

__all__ = ["BadStep", "Detector", "Settings", "Step", "Verdict", "__version__", "parse_step"]
