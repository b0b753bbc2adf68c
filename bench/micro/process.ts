import { operationGroups } from './operations.ts';
import { timeAll, type TimingAmounts } from './timing.ts';

/** What a process of the micro-benchmarks is told. */
export interface TimingJob extends TimingAmounts {
  /** Place in `operationGroups`. */
  readonly group: number;
}

/** The operations of a group, timed in a process of their own. */
process.once('message', ({ group, ...amounts }: TimingJob) => {
  void timeAll(operationGroups[group]?.() ?? [], amounts).then((timed) =>
    process.send?.(timed, () => {
      process.disconnect();
    }),
  );
});
