import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../imports/model.ts';
import { jobView } from './job-view.ts';

export interface EventTiming {
  /** Between two looks at the job. */
  readonly intervalMs: number;
  /** Looks without a change after which a comment is sent: proxies drop a connection on which nothing comes. */
  readonly quietLooks: number;
}

/**
 * Server-sent events (WHATWG HTML, section 9.2): the job at once, then whenever it has changed, and a last time when it
 * does not receive any more. Ends then, with the signal, or when the job is gone.
 */
export async function* jobEvents(
  find: () => Promise<Job | undefined>,
  { intervalMs, quietLooks }: EventTiming,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let shown = '';
  let quiet = 0;
  while (!signal.aborted) {
    const job = await find();
    if (job === undefined) return;
    const text = JSON.stringify(jobView(job));
    if (text !== shown) {
      shown = text;
      quiet = 0;
      yield `data: ${text}\n\n`;
    } else if (++quiet % quietLooks === 0) {
      yield ': nothing new\n\n';
    }
    if (job.state !== 'receiving') return;
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
