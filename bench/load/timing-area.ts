/**
 * The chance that a random one of `some` is larger than a random one of `others`, ties counting half: the area under the
 * ROC curve of a classifier that goes by the value, from the rank sum of Mann and Whitney (1947). A half: no difference.
 */
export function areaUnderCurve(some: readonly number[], others: readonly number[]): number {
  const all = [
    ...some.map((value) => ({ value, isOne: true })),
    ...others.map((value) => ({ value, isOne: false })),
  ].sort((a, b) => a.value - b.value);
  let rankSum = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to++;
    // Equal values share the mean of their ranks, which are from + 1 to `to`.
    const rank = (from + 1 + to) / 2;
    rankSum += rank * all.slice(from, to).filter(({ isOne }) => isOne).length;
    from = to;
  }
  const wins = rankSum - (some.length * (some.length + 1)) / 2;
  return wins / (some.length * others.length);
}
