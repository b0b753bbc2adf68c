import { allOperations } from './operations.ts';
import { timeAll, type TimingAmounts } from './timing.ts';

/** All operations, timed in a process of their own. */
process.once('message', (amounts: TimingAmounts) => {
  void timeAll(allOperations(), amounts).then((timed) =>
    process.send?.(timed, () => {
      process.disconnect();
    }),
  );
});
