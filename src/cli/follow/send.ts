/** Sends users of an old system to the core: all of them, or those who changed. */

import { createHash } from 'node:crypto';
import type { Changed } from '../../exports/sources/changes.ts';
import type { NewUpload } from '../client/tus.ts';
import { upload } from '../client/upload.ts';
import type { JobView } from '../client/views.ts';
import { databaseSource, lineOf } from '../compare/database-source.ts';
import { convertUsers, type ConvertedUser, type OldDatabase } from '../input/old-database.ts';
import type { UploadSource } from '../input/source.ts';
import { jobAtItsEnd, persistent, uploadShown } from '../job/upload-shown.ts';
import { plural, printable } from '../output/format.ts';
import type { Following } from './following.ts';

export interface Sending extends Following {
  readonly old: OldDatabase;
}

/** What was sent of users since all were: looks overlap, and a record that has not changed since need not be sent again. */
export class Sent {
  readonly #digests = new Map<string, string>();

  forget(): void {
    this.#digests.clear();
  }

  /** @param key the user's id at the source */
  isNew(key: string, line: string): boolean {
    const digest = createHash('sha256').update(line).digest('base64');
    if (this.#digests.get(key) === digest) return false;
    if (this.#digests.size >= mostRemembered) this.forget();
    this.#digests.set(key, digest);
    return true;
  }
}

/** Some 100 bytes each. */
const mostRemembered = 500_000;

/** All users, as one import; users who are gone there are found by it. @throws CommandError @throws as uploadShown */
export async function importAll(sending: Sending, known: Sent): Promise<void> {
  const { old, options, lease, note } = sending;
  const { absent, forceAbsent = false } = options;
  await lease.pending(old.readable.users);
  const job = await sent(sending, databaseSource(old), {
    what: 'all users',
    isWhole: true,
    ...(absent && { absent, absentYes: forceAbsent }),
  });
  known.forget();
  note(`All users were read. ${outcomeOf(job)}`);
}

/** The users who changed and whose record is another one; nothing is sent without such. */
export async function importChanged(sending: Sending, changed: Changed, known: Sent): Promise<void> {
  try {
    await importUnknown(sending, changed, known);
  } catch (error) {
    // Whatever went wrong, between two pages or while the core was away: the next look sends them again.
    known.forget();
    throw error;
  }
}

async function importUnknown(sending: Sending, changed: Changed, known: Sent): Promise<void> {
  const { old, surroundings } = sending;
  let lines: string[] = [];
  let before = 0;
  for await (const page of changed.pages()) {
    surroundings.interrupt.throwIfAborted();
    for (const user of convertUsers(page, old.rules, before)) {
      const line = lineOf(user);
      if (known.isNew(keyOf(user), line)) lines.push(line);
    }
    before += page.length;
    if (lines.length < linesAtOnce) continue;
    await importLines(sending, lines);
    lines = [];
  }
  if (lines.length > 0) await importLines(sending, lines);
}

/** Lines of one import: they are in memory. */
const linesAtOnce = 10_000;

async function importLines(sending: Sending, lines: readonly string[]): Promise<void> {
  const { lease, note } = sending;
  await lease.pending(lines.length);
  const job = await sent(sending, sourceOf(lines), { what: plural(lines.length, 'changed user') });
  note(`${plural(lines.length, 'user')} changed there. ${outcomeOf(job)}`);
}

/** The id at the source; of a record that cannot be converted its reject has it. */
function keyOf({ user, reject, line }: ConvertedUser): string {
  return user?.externalUserId ?? reject?.externalUserId ?? line ?? JSON.stringify(reject);
}

function sourceOf(lines: readonly string[]): UploadSource {
  const bytes = Buffer.from(lines.join(''));
  return {
    unit: 'record',
    fileBytes: bytes.length,
    length: bytes.length,
    // An upload takes bytes as they come.
    // eslint-disable-next-line @typescript-eslint/require-await
    async *open(offset) {
      if (offset < bytes.length) yield bytes.subarray(offset);
    },
    fileBytesAt: (offset) => offset,
  };
}

interface Job extends Pick<NewUpload, 'absent' | 'absentYes'> {
  /** For the job's name. */
  readonly what: string;
  /** All users, so its rejects are those that there are now. */
  readonly isWhole?: boolean;
}

async function sent(
  { old, options, core, surroundings, lease }: Sending,
  source: UploadSource,
  { what, isWhole = false, ...more }: Job,
): Promise<JobView> {
  const { onConflict, secondFactor, sameIds = false, idPrefix, source: label = '', patience } = options;
  const signal = AbortSignal.any([surroundings.interrupt, lease.lost]);
  const how = { onConflict, secondFactor, sameIds, idPrefix, source: label, dryRun: false };
  const series = lease.moveNo === undefined ? {} : { series: `follow-${lease.moveNo}`, whole: isWhole };
  const name = `follow ${old.provider.name}: ${what}`;
  const { length } = source;
  const id = await core.tus.create({ ...how, ...series, name, length, ...more }, signal);
  try {
    await lease.sends(id);
    const within = { ...surroundings, interrupt: signal };
    const retrying = (show: (text: string) => void) => persistent({ patience }, within, show);
    if (length === undefined)
      return await uploadShown({ id, core, patience, surroundings: within, retrying }, source);
    const quiet = () => retrying((text) => void surroundings.stderr.write(`${text}\n`));
    await upload({ ...quiet(), tus: core.tus, id, source });
    return await jobAtItsEnd({ id, core, surroundings: within }, { retrying: quiet });
  } catch (error) {
    await core.client.cancel(id, AbortSignal.timeout(3000)).catch(() => undefined);
    lease.lost.throwIfAborted();
    throw error;
  }
}

function outcomeOf({ id, created, updated, unchanged, rejected, skipped, absent }: JobView): string {
  const counts = Object.entries({ created, updated, unchanged, skipped, rejected, absent });
  const some = counts.filter(([, count]) => (count ?? 0) > 0);
  const text = some.map(([word, count]) => `${String(count)} ${word}`).join(', ');
  return `${text === '' ? 'Nothing to do' : text} (job ${printable(id)})`;
}
