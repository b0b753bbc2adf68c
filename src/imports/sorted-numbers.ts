/** Sorted arrays of numbers as sets: digests of keys and users. Sorting a number takes a tenth of the time of adding it to a Set. */

/** @returns whether the two have a value in common */
export function intersect(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const x = a[i] ?? 0;
    const y = b[j] ?? 0;
    if (x === y) return true;
    if (x < y) i++;
    else j++;
  }
  return false;
}

/** @returns whether a value occurs twice */
export function hasTwice(sorted: Float64Array): boolean {
  return sorted.some((value, n) => value === sorted[n - 1]);
}
