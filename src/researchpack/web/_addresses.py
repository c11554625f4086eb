"""Which addresses may be reached: no machine of one's own network behind somebody else's name.

A name is looked up once for each connection, every address that it has is looked at, and the
connection goes to one of those that were looked at. So neither a redirect nor a name that means
another machine a moment later leads inside.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING, Any, Final

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.connection import create_connection

if TYPE_CHECKING:
    from collections.abc import Callable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64: Final = (
    ipaddress.IPv6Network("64:ff9b::/96"),
    ipaddress.IPv6Network("64:ff9b:1::/48"),
)
_COMPATIBLE: Final = ipaddress.IPv6Network("::/96")


class Forbidden(Exception):
    """The address may not be reached. No `OSError`, so that nobody takes it for a fault of the
    line and tries again."""


def is_public(words: str) -> bool:
    """Whether an IP address belongs to the public internet, whatever it is wrapped in."""
    try:
        return _is_public(ipaddress.ip_address(words.partition("%")[0]))
    except ValueError:
        return False


def _is_public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        inner = _inside(address)
        if inner is not None:
            return _is_public(inner)
        if address.is_site_local or address in _NAT64[1]:
            return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified
    )


def _inside(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 address only carries: mapped, NAT64, 6to4, Teredo."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64[0] or (address in _COMPATIBLE and int(address) > 0xFFFF):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address.sixtofour is not None:
        return address.sixtofour
    return address.teredo[1] if address.teredo is not None else None


class Guard:
    """Says which addresses a name may be reached at.

    `excused` are hosts, with or without a port, of the project's own settings: the registries that
    were configured, and private hosts that were allowed by name.
    """

    def __init__(
        self, excused: frozenset[str], look_up: Callable[..., list[Any]] | None = None
    ) -> None:
        self._excused = excused
        self._look_up = look_up

    def addresses(self, host: str, port: int) -> list[str]:
        """The IP addresses of a host. Raises `Forbidden`, or `OSError` when it has none."""
        look_up = self._look_up or socket.getaddrinfo
        bare = host.strip("[]").rstrip(".")
        try:
            found = look_up(bare, port, socket.AF_UNSPEC, socket.SOCK_STREAM)
        except UnicodeError as fault:
            raise socket.gaierror(socket.EAI_NONAME, "no such name") from fault
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        if not {bare.lower(), f"{bare.lower()}:{port}"} & self._excused:
            for address in addresses:
                if not is_public(address):
                    at = "" if address == bare else f" ({address})"
                    raise Forbidden(f"{host} is a private address{at}, so it was not asked")
        return addresses


def _connect(guard: Guard, connection: Any) -> socket.socket:
    """A socket to one of the addresses that were looked at, and to no other."""
    host = connection._dns_host
    try:
        addresses = guard.addresses(host, connection.port)
    except socket.gaierror as fault:
        raise NameResolutionError(host, connection, fault) from fault
    last: OSError | None = None
    for address in addresses:
        try:
            return create_connection(
                (address, connection.port),
                connection.timeout,
                source_address=connection.source_address,
                socket_options=connection.socket_options,
            )
        except OSError as fault:
            last = fault
    if isinstance(last, TimeoutError):
        raise ConnectTimeoutError(connection, f"{host} did not answer") from last
    raise NewConnectionError(connection, f"{host}: {last}") from last


def pools(guard: Guard) -> dict[str, Any]:
    """Connection pools that ask `guard` before each connection; TLS still checks the name."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return _connect(guard, self)

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return _connect(guard, self)

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}
