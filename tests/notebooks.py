"""Runs a notebook as a reader would: in a folder of its own, with a kernel of this interpreter."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import nbformat
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

if TYPE_CHECKING:
    from pathlib import Path

NO_NETWORK = """\
import socket


def _refused(*words):
    raise AssertionError("a cell wants to talk to another machine")


socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = _refused
"""


def execute(data: bytes, folder: Path, scratch: Path) -> list[Any]:
    """The cells of a notebook after all of them were run in `folder`.

    Raises `CellExecutionError` where one fails. The kernel is this interpreter, whatever kernels
    are installed: no specification is looked for, and nothing is kept beside `scratch`.
    """
    notebook = nbformat.reads(data.decode(), as_version=4)
    before = nbformat.v4.new_code_cell(NO_NETWORK, id="no-network")
    notebook.cells.insert(0, before)
    scratch.mkdir(exist_ok=True)
    manager = AsyncKernelManager(
        kernel_name="python3",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
        connection_file=str(scratch / "kernel.json"),
    )
    client = NotebookClient(
        notebook, km=manager, timeout=100, resources={"metadata": {"path": str(folder)}}
    )
    surroundings = {**os.environ, "IPYTHONDIR": str(scratch / "ipython"), "PYTHONHASHSEED": "7"}
    client.execute(env=surroundings)
    cells: list[Any] = notebook.cells[1:]
    return cells
