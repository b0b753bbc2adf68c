/** waiting: receives, but nothing arrived for a minute. cancelled: by request. stopped: by the core, with a reason. */
export type CountedState = 'receiving' | 'waiting' | 'done' | 'cancelled' | 'stopped' | 'undone';

/** Jobs of all apps without dry runs. */
export interface JobCounts {
  readonly jobs: Readonly<Record<CountedState, number>>;
  /** Committed bytes of receiving and waiting jobs whose length is known. */
  readonly bytes: number;
  /** Total length of these jobs, bytes. */
  readonly length: number;
}
