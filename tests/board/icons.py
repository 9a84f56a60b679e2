"""The icons of the installed board, which a browser draws from icon.svg: `python -m tests.board.icons` writes them."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path

from playwright.sync_api import sync_playwright

from .browsers import ADVICE, found_browser

FILES = Path(__file__).parents[2] / "service" / "board" / "files"
WHOLE, SAFE = 1.0, 0.8
"""How much of its square an icon fills: systems cut a maskable icon to a shape and keep only the middle."""
ICONS = (("icon-192.png", 192, WHOLE), ("icon-512.png", 512, WHOLE), ("icon-maskable.png", 512, SAFE))
LEVELS = 15
"""Each colour is rounded to a multiple of this number, so that a file needs only a short colour table."""
DRAW = """async ([drawing, size, part, behind]) => {
    const image = new Image(), canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
    image.src = `data:image/svg+xml;base64,${drawing}`;
    await image.decode();
    const context = canvas.getContext("2d"), edge = size * (1 - part) / 2;
    context.fillStyle = behind;
    context.fillRect(0, 0, size, size);
    context.drawImage(image, edge, edge, size * part, size * part);
    const { data } = context.getImageData(0, 0, size, size);
    let text = "";
    for (let at = 0; at < data.length; at += 4096) text += String.fromCharCode(...data.subarray(at, at + 4096));
    return btoa(text);
}"""


def write_all() -> None:
    """Write all icon files."""
    path = found_browser()
    if path is None:
        raise SystemExit(ADVICE)
    colour = json.loads((FILES / "manifest.webmanifest").read_text())["theme_color"]
    drawing = base64.b64encode((FILES / "icon.svg").read_bytes()).decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        for name, size, part in ICONS:
            behind = colour if part == SAFE else "transparent"
            pixels = base64.b64decode(page.evaluate(DRAW, [drawing, size, part, behind]))
            (FILES / name).write_bytes(png(pixels, size))
        browser.close()


def png(pixels: bytes, size: int) -> bytes:
    """Return a square of pixels as a PNG with a colour table; each pixel is four bytes (red, green, blue, alpha)."""
    rounded = bytes(min(255, (value + LEVELS // 2) // LEVELS * LEVELS) for value in range(256))
    found = [bytes(4) if not pixel[3] else pixel for (pixel,) in struct.iter_unpack("4s", pixels.translate(rounded))]
    colours = sorted(set(found))
    number = {colour: index for index, colour in enumerate(colours)}
    rows = [bytes([0, *(number[pixel] for pixel in found[row * size : (row + 1) * size])]) for row in range(size)]
    header = struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)
    parts = [
        (b"IHDR", header),
        (b"PLTE", b"".join(colour[:3] for colour in colours)),
        (b"tRNS", bytes(colour[3] for colour in colours)),
        (b"IDAT", zlib.compress(b"".join(rows), 9)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    )


if __name__ == "__main__":
    write_all()
