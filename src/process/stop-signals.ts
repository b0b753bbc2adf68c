/** What SIGINT and SIGTERM ask of a program: to stop in order and, where that takes too long, to end now. */
export interface StopHandlers {
  /** Called once, by the first signal. */
  readonly stop: (signal: NodeJS.Signals) => void;
  /** Called by each signal that comes a second or more after the first. */
  readonly endNow: (signal: NodeJS.Signals) => void;
}

/**
 * One Ctrl-C comes twice where npm started the program: from the terminal, which signals the whole group, and from npm,
 * which passes on what it got.
 */
const sameRequestMs = 1000;

/**
 * Listens for both signals from now on, with no moment in between at which one of them would end the program as the system
 * has it by default.
 * @returns a function that leaves the signals as they were
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
