/** Scales whose ends and marks fit the data. */

/** The library's own goes from one power of ten to another. */
export interface LogScale {
  /** log10 of the ends. */
  readonly from: number;
  readonly to: number;
  /** log10 of the marks, and what they stand for. */
  readonly marks: readonly number[];
}

/** Ends at 1, 2 or 5 times a power of ten; marks at all of these over a short range, at powers of ten over a long one. */
export function logScale(values: readonly number[]): LogScale {
  const positive = values.filter((value) => value > 0);
  const [low, high] = positive.length > 0 ? [Math.min(...positive), Math.max(...positive)] : [1, 10];
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.ceil(Math.log10(high)) + 1; power++)
    for (const step of [1, 2, 5]) all.push(Number(`${step}e${power}`));
  const first = all.findLastIndex((mark) => mark <= low * 1.0001);
  const last = all.findIndex((mark) => mark >= high * 0.9999);
  const marks = all.slice(first, Math.max(last, first + 1) + 1).map((mark) => Math.log10(mark));
  const isLong = marks.length > 8;
  return {
    from: marks[0] ?? 0,
    to: marks.at(-1) ?? 1,
    marks: isLong ? marks.filter((mark) => Number.isInteger(mark)) : marks,
  };
}

/** From 0 at steps of 1, 2 or 5 times a power of ten, about `count` of them, none beyond the end. */
export function marksUpTo(end: number, count: number): number[] {
  const power = 10 ** Math.floor(Math.log10(end / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => end / each <= count) ?? end;
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, n) =>
    Number((n * step).toPrecision(12)),
  );
}
