import type { Core } from '../client/server.ts';
import { duration } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Lease } from '../move/lease.ts';
import type { FollowOptions } from './options.ts';

/** One time that the lease is held. */
export interface Following {
  /** Of the old database. */
  readonly address: string;
  readonly options: FollowOptions;
  readonly core: Core;
  readonly surroundings: Surroundings;
  readonly lease: Lease;
  readonly note: (line: string) => void;
}

/** More are read in one go with all others: it takes no memory, and is not much more work. */
export const mostChanged = 200_000;

/** @param unseen changes of tables, for people */
export function noteUnseen(
  unseen: readonly string[],
  { options: { fullEvery }, note }: Pick<Following, 'options' | 'note'>,
): void {
  if (unseen.length === 0) return;
  note(
    `Seen only when all users are read again, every ${duration(fullEvery)} (--full-every): ${unseen.join(', ')}`,
  );
}
