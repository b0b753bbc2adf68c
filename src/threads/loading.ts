/** One for each set of threads of this process: see watchLoading in piscina.ts. */
export const loadings = new Set<() => Promise<void>>();

/** Resolves when no thread is loading its modules: until then `process.exit` may abort the process. */
export async function threadsLoaded(): Promise<void> {
  await Promise.all([...loadings].map((loaded) => loaded()));
}
