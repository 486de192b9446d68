"""What a picture comes to without its colours, reckoned by the browser that took it."""

import base64
from statistics import fmean
from typing import Final, NamedTuple

from playwright.async_api import Locator

_READ: Final = """async text => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const {data} = canvas.getImageData(0, 0, image.width, image.height);
    const greys = [];
    for (let at = 0; at < data.length; at += 4) {
        greys.push(Math.round(0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2]));
    }
    return [image.width, greys];
}"""
_NEAR: Final = 2  # pixels


class Grey(NamedTuple):
    """A picture's pixels, 0 black to 255 white, row by row."""

    width: int
    pixels: list[int]

    @property
    def ink(self) -> int:
        """How dark its ink is: one pixel in fifty is darker."""
        return sorted(self.pixels)[len(self.pixels) // 50]

    def at(self, across: float, down: float) -> float:
        """How dark it is around a point, told in parts of its width and height."""
        height = len(self.pixels) // self.width
        x, y = int(across * self.width), int(down * height)
        lines = range(y - _NEAR, y + _NEAR + 1)
        return fmean(fmean(self.pixels[line * self.width + x - _NEAR :][: 2 * _NEAR + 1]) for line in lines)


async def grey(of: Locator) -> Grey:
    """The picture of an element without its colours."""
    picture = base64.b64encode(await of.screenshot()).decode()
    reader = await of.page.context.new_page()
    try:
        return Grey(*await reader.evaluate(_READ, picture))
    finally:
        await reader.close()
