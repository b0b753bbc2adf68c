/**
 * Works on up to `limit` items concurrently and returns the results in the order of the items. When an item or the iteration
 * fails, everything before it is returned first: the results do not depend on `limit`.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  limit: number,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  const iterator = items[Symbol.asyncIterator]();
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const canBegin = () => !isOver && underWay.length < limit;
  const begin = async (): Promise<void> => {
    try {
      const next = await iterator.next();
      isOver = next.done === true;
      if (next.done !== true) underWay.push(observed(work(next.value)));
    } catch (error) {
      failure = { error };
      isOver = true;
    }
  };
  try {
    for (;;) {
      while (canBegin()) await begin();
      const first = underWay.shift();
      if (first === undefined) break;
      yield await first;
    }
    if (failure !== undefined) throw failure.error;
  } finally {
    await iterator.return?.();
    await Promise.allSettled(underWay);
  }
}

/** The caller gets its error; until then it must not count as unhandled. */
function observed<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}
