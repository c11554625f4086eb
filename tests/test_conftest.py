"""The fence around the tests: no other machine is reached, this one may be."""

from __future__ import annotations

import socket

import pytest

from conftest import NetworkForbidden


def test_another_machine_cannot_be_reached() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client:
        with pytest.raises(NetworkForbidden):
            client.connect(("192.0.2.1", 80))
        with pytest.raises(NetworkForbidden):
            client.connect_ex(("192.0.2.1", 80))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        with pytest.raises(NetworkForbidden):
            client.sendto(b"x", ("192.0.2.1", 53))
        with pytest.raises(NetworkForbidden):
            client.sendto(b"x", 0, ("192.0.2.1", 53))


def test_no_name_is_looked_up() -> None:
    with pytest.raises(NetworkForbidden):
        socket.create_connection(("example.org", 80), timeout=1)
    with pytest.raises(NetworkForbidden):
        socket.getaddrinfo(b"example.org", 80)


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()
        port = server.getsockname()[1]
        socket.create_connection(("localhost", port), timeout=5).close()
