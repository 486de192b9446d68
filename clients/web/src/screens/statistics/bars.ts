/** What a bar chart shows. */
export interface Bar {
  label: string;
  count: number;
}

/** How long each bar is, as a percentage of the longest; one that is there at all can be seen. */
export function lengthsOf(bars: readonly Bar[]): number[] {
  const most = Math.max(0, ...bars.map((bar) => bar.count));
  return bars.map((bar) => (bar.count === 0 ? 0 : Math.max(1, (100 * bar.count) / most)));
}

/** A day's results: below 1,000 points, 1,000 to 1,999 and so on; the last has what is more. */
export function resultBars(distribution: readonly number[], written: (value: number) => string): Bar[] {
  const last = distribution.length - 1;
  return distribution.map((count, index) => {
    const least = index * 1000;
    return { label: index === last ? `${written(least)}+` : `${written(least)}–${written(least + 999)}`, count };
  });
}
