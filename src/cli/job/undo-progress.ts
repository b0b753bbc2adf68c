import { setTimeout as sleep } from 'node:timers/promises';
import type { UndoForeseen } from '../../imports/model.ts';
import type { Core } from '../client/server.ts';
import { undoneUsers } from './foreseen.ts';
import { plural } from '../output/format.ts';
import { createProgress } from '../output/progress.ts';
import type { Surroundings } from '../surroundings.ts';

export interface Undoing {
  readonly id: string;
  readonly core: Core;
  /** The work ahead; undefined: the core does not report it, and no progress is shown. */
  readonly foreseen: UndoForeseen | undefined;
  readonly surroundings: Surroundings;
}

/** Shows the progress of an undo while `work` waits for it: the core counts in the job. */
export async function duringUndo<Result>(
  { id, core, foreseen, surroundings }: Undoing,
  work: () => Promise<Result>,
): Promise<Result> {
  const { stderr, now, interrupt } = surroundings;
  const total = foreseen === undefined ? 0 : undoneUsers(foreseen);
  if (total === 0) return work();
  const begun = (await core.client.job(id, interrupt)).undone ?? 0;
  const progress = createProgress({ output: stderr, totalBytes: total, now, of: plural(total, 'user') });
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, interrupt]);
  const look = async (signal: AbortSignal): Promise<void> => {
    const { undone = 0 } = await core.client.job(id, signal);
    const records = undone - begun;
    progress.update({ bytes: records, records, rejected: 0 });
  };
  const watching = watch(signal, () => look(signal));
  try {
    const result = await work();
    await look(interrupt).catch(() => undefined);
    return result;
  } finally {
    over.abort();
    await watching;
    progress.stop();
  }
}

async function watch(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  const isTime = (): Promise<boolean> => sleep(500, true, { signal }).catch(() => false);
  while (await isTime()) await look().catch(() => undefined);
}
