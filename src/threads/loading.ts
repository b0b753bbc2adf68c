/** One for each set of threads of this process: see watchLoading in piscina.ts. */
export const loadings = new Set<() => Promise<void>>();

/** Resolves when no thread of this process is loading its modules: before that, `process.exit` may abort it instead. */
export async function threadsLoaded(): Promise<void> {
  await Promise.all([...loadings].map((loaded) => loaded()));
}
