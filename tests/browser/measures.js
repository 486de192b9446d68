// What does not fit on a page, as lists of words about each element; an empty list is what one hopes for.
(() => {
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const within = (element, isSuch) => {
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      if (isSuch(getComputedStyle(one))) return true;
    }
    return false;
  };
  const isForReaders = (element) =>
    element.closest(".skip, svg") !== null || within(element, ({ clipPath }) => clipPath.startsWith("inset(50%"));
  const scrolls = (element, axis) => within(element.parentElement, (style) => /auto|scroll/.test(style[`overflow${axis}`]));
  const told = (element, box) => {
    const words = (element.ariaLabel ?? element.textContent).trim().slice(0, 40);
    const { left, right, top, bottom, width, height } = box;
    const [l, r, t, b, w, h] = [left, right, top, bottom, width, height].map(Math.round);
    return `<${element.localName} class="${element.className}"> ${words}: ${l}..${r} x ${t}..${b}, ${w}x${h}`;
  };
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => isSeen(one) && !isForReaders(one));
  const boxed = (elements, isWrong) =>
    elements.map((one) => [one, one.getBoundingClientRect()]).filter(([one, box]) => isWrong(one, box)).map((one) => told(...one));

  /** A link in the middle of a sentence may be as small as its line. */
  const isInText = (element) =>
    getComputedStyle(element).display === "inline" &&
    [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  /** A control is pressed by its label, too: one of them has to be large enough. */
  const largest = (element) =>
    Math.max(
      ...[element, ...(element.labels ?? [])]
        .map((one) => one.getBoundingClientRect())
        .map(({ width, height }) => Math.min(width, height)),
    );

  window.measures = {
    /** Returns when the page has been drawn anew. */
    drawn: () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
    /** What sticks out at the sides, unless it scrolls within what does not. */
    outside() {
      const page = document.documentElement;
      const wide = page.scrollWidth > page.clientWidth ? [`the page: ${page.scrollWidth} > ${page.clientWidth}`] : [];
      const isOut = (one, box) => box.width > 0 && (box.right > page.clientWidth + 1 || box.left < -1) && !scrolls(one, "X");
      return [...wide, ...boxed(seen("body *"), isOut)];
    },
    /** What one would have to scroll to. */
    below() {
      const page = document.documentElement;
      const tall = page.scrollHeight > page.clientHeight ? [`the page: ${page.scrollHeight} > ${page.clientHeight}`] : [];
      const isOut = (one, box) => (box.bottom > page.clientHeight + 1 || box.top < -1) && !scrolls(one, "Y");
      return [...tall, ...boxed(seen("[data-place], button, summary, [data-connection]"), isOut)];
    },
    /** Places of the board that a thumb misses. */
    smallPlaces(least) {
      return boxed(seen("[data-place]"), (_, box) => box.width < least || box.height < least);
    },
    smallTargets(least) {
      const targets = seen("a, button, input, select, summary, textarea, [role=button], [role=tab]");
      return boxed(
        targets.filter((one) => !isInText(one)),
        (one) => largest(one) < least,
      );
    },
  };
})();
