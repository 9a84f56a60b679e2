"""Finds errors in the layout of a page: too wide, too small to tap, cut off, or covered."""

from __future__ import annotations

from playwright.sync_api import Page

SMALLEST = 44
"""Minimum width and height of a target in CSS pixels, unless it is part of a sentence."""
TOO_SMALL = """smallest => [...document.querySelectorAll("button, a[href], input, select, summary, [role=button]")]
    .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        const inText = target.tagName === "A" && getComputedStyle(target).display === "inline";
        const box = target.labels?.[0]?.getBoundingClientRect();
        const high = Math.max(height, box?.height ?? 0), wide = Math.max(width, box?.width ?? 0);
        return width && !inText && !target.closest(".skip") && (wide < smallest || high < smallest);
    })
    .map((target) => target.outerHTML.slice(0, 120))"""
ARROW = 20
"""CSS pixels that the arrow of a select list occupies."""
CUT_OFF = """arrow => {
    const found = new Set();
    const range = document.createRange(), ruler = document.createElement("canvas").getContext("2d");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const parent = text.parentElement;
        if (!text.data.trim() || !parent.checkVisibility() || parent.closest(".spoken, .skip, svg, option")) continue;
        range.selectNodeContents(text);
        for (const { left, right, top, bottom, width } of range.getClientRects()) {
            if (!width) continue;
            for (let box = parent; box; box = box.parentElement) {
                const { overflowX, overflowY, textOverflow } = getComputedStyle(box);
                // What scrolls by itself shows the rest; an ellipsis says that there is more.
                if (textOverflow === "ellipsis" || /auto|scroll/.test(overflowX + overflowY)) break;
                const shape = box.getBoundingClientRect(), hides = (overflow) => /hidden|clip/.test(overflow);
                // A control has its words within its border.
                const narrow = hides(overflowX) || box.matches("button, .button, summary");
                const sides = narrow && (left < shape.left || right > shape.right);
                const ends = hides(overflowY) && (top < shape.top - 1 || bottom > shape.bottom + 1);
                const outside = box === document.documentElement && (left < 0 || right > innerWidth);
                if (sides || ends || outside) found.add(text.data.trim().slice(0, 60));
            }
        }
    }
    for (const select of document.querySelectorAll("select")) {
        const { font, paddingLeft, paddingRight } = getComputedStyle(select);
        ruler.font = font;
        const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
        for (const { text } of select.checkVisibility() ? select.options : [])
            if (ruler.measureText(text).width > room) found.add(`${text} in ${select.id}`);
    }
    return [...found];
}"""
"""Returns texts that are not completely visible."""
COVERED = """() => {
    const found = [], [dialog] = document.querySelectorAll("dialog[open]");
    for (const action of (dialog ?? document).querySelectorAll("main button, main .button, dialog button")) {
        if (!action.checkVisibility()) continue;
        for (const block of ["start", "center", "end"]) {
            action.scrollIntoView({ block });
            const { left, right, top, bottom } = action.getBoundingClientRect();
            for (const x of [left + 8, (left + right) / 2, right - 8])
                for (const y of [top + 8, (top + bottom) / 2, bottom - 8]) {
                    const over = document.elementFromPoint(x, y);
                    if (!action.contains(over))
                        found.push(`${action.textContent.trim()} (${block}) under ${over?.outerHTML.slice(0, 80)}`);
                }
        }
    }
    scrollTo(0, 0);
    return [...new Set(found)];
}"""
"""Returns the actions that remain covered at any scroll position of the page."""


def too_small(page: Page) -> list[str]:
    """Return the targets that are too small to be tapped."""
    found: list[str] = page.evaluate(TOO_SMALL, SMALLEST)
    return found


def too_wide(page: Page) -> int:
    """Return the number of pixels by which a page is wider than its window."""
    excess: int = page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)")
    return excess


def cut_off(page: Page) -> list[str]:
    """Return the texts that are not completely visible."""
    found: list[str] = page.evaluate(CUT_OFF, ARROW)
    return found


def covered(page: Page) -> list[str]:
    """Return the actions that are covered."""
    found: list[str] = page.evaluate(COVERED)
    return found
