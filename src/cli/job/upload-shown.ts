/** Uploads a source into its job, and shows how far it is. */

import { setTimeout as sleep } from 'node:timers/promises';
import { partnersOf } from '../client/partners.ts';
import { relay } from '../client/relay.ts';
import { Patience, retry, type Retrying } from '../client/retry.ts';
import type { Core } from '../client/server.ts';
import { upload } from '../client/upload.ts';
import type { JobView } from '../client/views.ts';
import type { UploadSource } from '../input/source.ts';
import { duration } from '../output/format.ts';
import { createProgress } from '../output/progress.ts';
import type { Surroundings } from '../surroundings.ts';

export interface Uploading {
  /** The job's. */
  readonly id: string;
  readonly core: Core;
  /** Seconds to wait for a core that is away. */
  readonly patience: string;
  readonly surroundings: Surroundings;
  readonly retrying: (show: (text: string) => void) => Retrying;
}

/** Waits for a core that is away, and reports it. */
export function persistent(
  { patience }: Pick<Uploading, 'patience'>,
  { now, interrupt }: Surroundings,
  show: (text: string) => void,
): Retrying {
  return {
    patience: new Patience(Number(patience) * 1000, now),
    onTrouble: (reason, delayMs) => {
      show(`Waiting for the core: ${reason}; trying again in ${duration(Math.ceil(delayMs / 1000))}`);
    },
    signal: interrupt,
  };
}

/** @returns the job at its end, with all of the source in it */
export async function uploadShown(uploading: Uploading, source: UploadSource): Promise<JobView> {
  const { now, interrupt, stderr } = uploading.surroundings;
  const progress = createProgress({ output: stderr, totalBytes: source.fileBytes, now, ...source.shownAs });
  const over = new AbortController();
  let isSearching = false;
  const show = (job: JobView): void => {
    const position = { bytes: source.fileBytesAt(job.bytes), records: job.lines, rejected: job.rejected };
    progress.update(position);
    if (isSearching || !searchesAbsent(job, position.bytes, source.fileBytes)) return;
    isSearching = true;
    progress.note('All records are in. Looking for users who are gone from the source');
  };
  const watching = watchJob(uploading, show, AbortSignal.any([interrupt, over.signal]));
  const note = (text: string): void => {
    progress.note(text);
  };
  try {
    await uploadThrough(uploading, source, uploading.retrying(note));
    over.abort();
    return await jobAtItsEnd(uploading, { retrying: () => uploading.retrying(note), show });
  } finally {
    over.abort();
    await watching;
    progress.stop();
  }
}

interface Looks {
  /** For each look: a core may be away more than once. */
  readonly retrying: () => Retrying;
  readonly show?: (job: JobView) => void;
}

/**
 * Waits for what the core does when all lines are there. It may outlast the request that sent the last one, whose connection then
 * breaks, and so may the end of that core: each request for the job begins what is left.
 */
export async function jobAtItsEnd(
  { id, core, surroundings: { interrupt } }: Pick<Uploading, 'id' | 'core' | 'surroundings'>,
  { retrying, show }: Looks,
): Promise<JobView> {
  for (;;) {
    const job = await retry(() => core.client.job(id, interrupt), retrying());
    show?.(job);
    if (job.state !== 'receiving') return job;
    await sleep(lookMs, undefined, { signal: interrupt });
  }
}

/** Through one core, or through all that take part. */
async function uploadThrough(
  { id, core, patience, surroundings: { now, stderr, interrupt } }: Uploading,
  source: UploadSource,
  retrying: Retrying,
): Promise<void> {
  const { tus } = core;
  const note = (line: string): void => void stderr.write(`${line}\n`);
  const cores = await partnersOf(core, id, note, interrupt);
  const patienceMs = Number(patience) * 1000;
  if (cores.length > 1) await relay({ ...retrying, tus, cores, id, source, patienceMs, now });
  await upload({ ...retrying, tus, id, source });
}

/** Whether the core has every record, and compares the users of the source with them. */
function searchesAbsent({ state, absentAction }: JobView, bytes: number, fileBytes: number): boolean {
  return state === 'receiving' && (absentAction ?? null) !== null && bytes >= fileBytes;
}

/** ms before the first requests, so that a count and a rate appear within a second. */
const firstLooks = [250, 350];
const lookMs = 1000;

/** Requests the progress from the core every second. While it cannot answer, the upload reports why. */
async function watchJob(
  { id, core }: Uploading,
  show: (job: JobView) => void,
  signal: AbortSignal,
): Promise<void> {
  const delays = [...firstLooks];
  const isTime = (): Promise<boolean> => sleep(delays.shift() ?? lookMs, true, { signal }).catch(() => false);
  while (await isTime()) {
    const job = await jobIfThere(core, id, signal);
    if (job && !signal.aborted) show(job);
  }
}

export async function jobIfThere(core: Core, id: string, signal: AbortSignal): Promise<JobView | undefined> {
  return core.client.job(id, signal).catch(() => undefined);
}
