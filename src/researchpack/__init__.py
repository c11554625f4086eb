"""Turns the working files of a chapter audit into a browsable, verifiable research pack."""

__version__ = "0.1.0"
