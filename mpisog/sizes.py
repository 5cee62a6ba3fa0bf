"""Memory sizes as people write and read them."""

from __future__ import annotations

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def parse_bytes(text: str) -> int:
    """``500M``, ``8G``, ``2.5GiB`` or plain bytes; raises ``ValueError`` otherwise."""
    digits = text.strip().upper().removesuffix("IB").removesuffix("B")
    unit = digits[-1:] if digits[-1:] in _UNITS and not digits[-1:].isdigit() else ""
    amount = float(digits.removesuffix(unit)) * _UNITS[unit]
    if not 0 < amount < 2**63:  # native code has 64 bits for it
        raise ValueError(f"not a size: {text!r}")
    return int(amount)


def format_bytes(amount: float) -> str:
    """A size for people: ``1.5 GB``."""
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1024:
            return f"{amount:.4g} {unit}"
        amount /= 1024
    return f"{amount:.4g} TB"
