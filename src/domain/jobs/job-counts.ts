/** waiting: receives, but nothing came for a minute. cancelled: by request. stopped: without a request, with a reason. */
export type CountedState = 'receiving' | 'waiting' | 'done' | 'cancelled' | 'stopped' | 'undone';

/** Jobs of all apps, dry runs not counted. */
export interface JobCounts {
  readonly jobs: Readonly<Record<CountedState, number>>;
  /** Committed, of receiving and waiting jobs whose length is known. */
  readonly bytes: number;
  /** What these jobs are to receive in all. */
  readonly length: number;
}
