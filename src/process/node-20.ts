/**
 * Adds what the built package needs and Node 20 lacks. Each program and thread imports this first; the `lib` of
 * tsconfig.build.json allows no other newer function.
 */
type Addition = readonly [target: object, name: string, method: (...args: never[]) => unknown];

const setOf = <T>(items: Iterable<T>, isTaken: (item: T) => boolean): Set<T> =>
  new Set([...items].filter(isTaken));

export const additions: readonly Addition[] = [
  [Promise, 'withResolvers', withResolvers],
  [Map, 'groupBy', groupBy],
  [Set.prototype, 'union', union],
  [Set.prototype, 'intersection', intersection],
  [Set.prototype, 'difference', difference],
  [Set.prototype, 'symmetricDifference', symmetricDifference],
  [Set.prototype, 'isSubsetOf', isSubsetOf],
  [Set.prototype, 'isSupersetOf', isSupersetOf],
  [Set.prototype, 'isDisjointFrom', isDisjointFrom],
];

for (const [target, name, value] of additions)
  if (!Object.hasOwn(target, name))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve!: PromiseWithResolvers<T>['resolve'];
  let reject!: PromiseWithResolvers<T>['reject'];
  const promise = new Promise<T>((resolveIt, rejectIt) => {
    resolve = resolveIt;
    reject = rejectIt;
  });
  return { promise, resolve, reject };
}

function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function union<T>(this: Set<T>, other: Set<T>): Set<T> {
  return new Set([...this, ...other]);
}

function intersection<T>(this: Set<T>, other: Set<T>): Set<T> {
  return setOf(this, (item) => other.has(item));
}

function difference<T>(this: Set<T>, other: Set<T>): Set<T> {
  return setOf(this, (item) => !other.has(item));
}

function symmetricDifference<T>(this: Set<T>, other: Set<T>): Set<T> {
  return setOf([...this, ...other], (item) => this.has(item) !== other.has(item));
}

function isSubsetOf<T>(this: Set<T>, other: Set<T>): boolean {
  return [...this].every((item) => other.has(item));
}

function isSupersetOf<T>(this: Set<T>, other: Set<T>): boolean {
  return [...other].every((item) => this.has(item));
}

function isDisjointFrom<T>(this: Set<T>, other: Set<T>): boolean {
  return ![...this].some((item) => other.has(item));
}
