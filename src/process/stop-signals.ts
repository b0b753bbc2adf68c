/** Reactions to SIGINT and SIGTERM: stop in order and, if that takes too long, end now. */
export interface StopHandlers {
  /** Called once, by the first signal. */
  readonly stop: (signal: NodeJS.Signals) => void;
  /** Called by each signal a second or more after the first. */
  readonly endNow: (signal: NodeJS.Signals) => void;
}

/**
 * A Ctrl-C arrives twice if npm started the program: from the terminal, which signals the group, and from npm, which forwards it.
 */
const sameRequestMs = 1000;

/**
 * Listens for both signals from now on.
 * @returns a function that restores the previous handlers
 */
export function onStopSignals({ stop, endNow }: StopHandlers): () => void {
  let askedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (askedAt === undefined) {
      askedAt = performance.now();
      stop(signal);
    } else if (performance.now() - askedAt >= sameRequestMs) endNow(signal);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  };
}
