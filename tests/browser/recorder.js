// Keeps what goes by on a page too fast to be asked for: each place its board stood at, and each thing it said.
(() => {
  const record = { seqs: [], said: [] };
  const waiting = new Set();
  const board = () => document.querySelector("section[data-seq]");

  const look = (changes) => {
    const seq = board()?.dataset.seq;
    if (seq && Number(seq) !== record.seqs.at(-1)) record.seqs.push(Number(seq));
    const live = document.querySelector("[aria-live=polite]");
    const text = live?.textContent.trim();
    if (text && changes.some((change) => live.contains(change.target))) record.said.push(text);
    for (const one of waiting) {
      if (one.isTrue()) {
        waiting.delete(one);
        one.resolve();
      }
    }
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });

  const until = (isTrue) =>
    isTrue() ? Promise.resolve() : new Promise((resolve) => waiting.add({ isTrue, resolve }));
  window.record = record;
  window.reached = (seq) => until(() => Number(board()?.dataset.seq ?? -1) >= seq);
  window.hasSaid = (words) => until(() => record.said.some((text) => text.includes(words)));
})();
