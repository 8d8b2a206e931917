"""Address ranges of nodes and Services: how large they are, and which addresses lie in them."""

from collections.abc import Iterable
from ipaddress import AddressValueError, IPv4Network, NetmaskValueError, ip_address


def size_of(cidr: str) -> int | None:
    """How many addresses an IPv4 range has; None for IPv6, which does not run out, and for what is no range."""
    network = _network(cidr)
    return network.num_addresses if network else None


def used_in(cidr: str, addresses: Iterable[str | None]) -> int:
    """How many different addresses lie in an IPv4 range; what is no address (`None`, empty) does not count."""
    network = _network(cidr)
    known = {address for address in addresses if address and address != "None"}
    return sum(_lies_in(network, address) for address in known) if network else 0


def _network(cidr: str) -> IPv4Network | None:
    try:
        return IPv4Network(cidr, strict=False)
    except (AddressValueError, NetmaskValueError, ValueError):
        return None


def _lies_in(network: IPv4Network, address: str) -> bool:
    try:
        return ip_address(address) in network
    except ValueError:
        return False
