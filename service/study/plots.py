"""A plot, as SVG: how many deals are won with how many nodes."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_WIDTH: Final = 720
_HEIGHT: Final = 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 680, 20, 390
_FIRST, _LAST = 2, 6
"""The axis of nodes goes from ten to the one to ten to the other power."""
_STEPS: Final = 40
"""Points of a curve for each power of ten."""
_COLOURS: Final = ("#1b6ca8", "#c8442c", "#2f8f4e", "#7b4fa3")


class Curve(NamedTuple):
    """The nodes of each deal that was won, in order, and how many deals were tried."""

    nodes: Sequence[int]
    deals: int


def plot(curves: Mapping[str, Curve]) -> str:
    """The share of deals won, over the nodes that it took, which have a logarithmic axis; a curve for each name."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        "<title>Share of deals won, by nodes</title>",
        "<style>text {font: 13px sans-serif}</style>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
    ]
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        parts.append(f'<path d="M{_LEFT} {y}H{_RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{10 * tenth} %</text>')
    for power in range(_FIRST, _LAST + 1):
        x = _x(power)
        parts.append(f'<path d="M{x} {_TOP}V{_BOTTOM}" stroke="#ddd"/>')
        parts.append(f'<text x="{x}" y="{_BOTTOM + 18}" text-anchor="middle">{10**power:,}</text>')
    middle = (_LEFT + _RIGHT) // 2
    parts.append(f'<text x="{middle}" y="{_BOTTOM + 38}" text-anchor="middle">nodes (logarithmic)</text>')
    for number, (name, curve) in enumerate(curves.items()):
        colour, y = _COLOURS[number % len(_COLOURS)], _BOTTOM - 20 * (len(curves) - number)
        parts.append(f'<path d="{_path(curve)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{_RIGHT - 10}" y="{y}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _path(curve: Curve) -> str:
    points = []
    for step in range(_FIRST * _STEPS, _LAST * _STEPS + 1):
        power = step / _STEPS
        points.append(f"{_x(power)} {_y(bisect_right(curve.nodes, 10**power) / curve.deals)}")
    return "M" + "L".join(points)


def _x(power: float) -> float:
    return round(_LEFT + (_RIGHT - _LEFT) * (power - _FIRST) / (_LAST - _FIRST), 1)


def _y(share: float) -> float:
    return round(_BOTTOM - (_BOTTOM - _TOP) * share, 1)
