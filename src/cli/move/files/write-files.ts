/** Writes what changed here since a move leads as files that the old system imports. */
import { createHash } from 'node:crypto';
import type { BackFormat } from '../../../exports/back/format.ts';
import type { CoreClient } from '../../client/core-client.ts';
import type { MoveView } from '../../client/moves.ts';
import type { Surroundings } from '../../surroundings.ts';
import { noMove } from '../options.ts';
import type { ChangeView } from '../user-change.ts';
import { BackFolder } from './folder.ts';
import { type BackOutcome, outcomeOf } from './outcome.ts';

/** Changes in one answer. */
const pageChanges = 500;

export interface BackTally {
  /** In the files of users. */
  users: number;
  changed: number;
  removed: number;
  mustReset: number;
  leftOut: number;
}

export interface BackFiles {
  readonly tally: BackTally;
  readonly files: readonly string[];
}

export interface BackRun {
  readonly client: CoreClient;
  readonly move: MoveView;
  readonly format: BackFormat;
  readonly out: string;
  readonly idPrefix: string;
  /** ms since the epoch; undefined: since the move leads */
  readonly since: number | undefined;
  readonly surroundings: Surroundings;
}

/** @throws CommandError @throws CoreRefusal */
export async function writeFiles(run: BackRun): Promise<BackFiles> {
  const { move, format, out, surroundings } = run;
  const folder = await BackFolder.make(out, surroundings.folder, format);
  try {
    const { moveNo, source } = move;
    await folder.addTo('written', { type: 'written', system: format.name, moveNo, source });
    const sorter = new Sorter(folder, run);
    for await (const change of changesSince(run)) await sorter.add(change);
    return { tally: sorter.tally, files: await folder.finish() };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** A user who changed often may be in several answers. */
async function* changesSince({ client, since, surroundings }: BackRun): AsyncGenerator<ChangeView> {
  const signal = surroundings.interrupt;
  for (let after = '0'; ;) {
    const asked = new URLSearchParams({ limit: String(pageChanges), after });
    if (since !== undefined) asked.set('changedSince', String(since));
    const path = `/move/changes?${asked.toString()}`;
    const answer = await client.call<{ status: string; changes: readonly ChangeView[] }>({
      method: 'GET',
      path,
      signal,
    });
    if (answer.status !== 'OK') throw noMove();
    yield* answer.changes;
    const numbers = answer.changes.flatMap(({ changes }) => changes.map(BigInt));
    if (numbers.length < pageChanges) return;
    after = String(numbers.reduce((one, other) => (one > other ? one : other)));
  }
}

/** A user in the files of users. */
interface Placed {
  /** Of the record that was written. */
  readonly mark: string;
  readonly knownAs: string | undefined;
}

/** Each user goes into the files of users once: as the user is when the first change is read. */
class Sorter {
  readonly tally: BackTally = { users: 0, changed: 0, removed: 0, mustReset: 0, leftOut: 0 };
  readonly #folder: BackFolder;
  readonly #run: BackRun;
  readonly #placed = new Map<string, Placed>();
  readonly #counted = new Set<string>();

  constructor(folder: BackFolder, run: BackRun) {
    this.#folder = folder;
    this.#run = run;
  }

  async add(change: ChangeView): Promise<void> {
    const { id, changes, record } = change;
    const outcome = outcomeOf(change, this.#run.format, this.#run.idPrefix);
    const { what, knownAs } = outcome;
    const mark = createHash('sha256').update(JSON.stringify(record)).digest('base64');
    const placed = what.kind === 'user' ? this.#placed.get(id) : undefined;
    if (placed === undefined) await this.#place(id, outcome);
    // It has changed again since: this change is for the next export.
    else if (placed.mark !== mark) return;
    if (what.kind === 'user') this.#placed.set(id, { mark, knownAs });
    await this.#addReset(id, outcome);
    const oldId = what.kind === 'user' ? knownAs : undefined;
    await this.#folder.addTo('written', { id, changes, ...(oldId !== undefined && { oldId }) });
  }

  async #place(key: string, outcome: BackOutcome): Promise<void> {
    const { id, email, what } = outcome;
    switch (what.kind) {
      case 'user':
        this.tally.users += 1;
        await this.#folder.addUser(what.group, what.user);
        break;
      case 'changed':
        this.#count(key, 'changed');
        await this.#folder.addTo('changed', { id, changed: what.fields, user: what.user });
        break;
      case 'left out':
        this.#count(key, 'leftOut');
        await this.#folder.addTo('left-out', { id, email, reason: what.reason });
        break;
      case 'removed':
        await this.#addRemoved(key, outcome);
    }
  }

  /** One who came and left while the move leads was never there, unless a file brought the user there. */
  async #addRemoved(key: string, { id, email }: BackOutcome): Promise<void> {
    const there = id ?? this.#placed.get(key)?.knownAs;
    if (there === undefined || !this.#count(key, 'removed')) return;
    await this.#folder.addTo('removed', { id: there, email });
  }

  async #addReset(key: string, { id, email, reset: reason }: BackOutcome): Promise<void> {
    if (reason === undefined || !this.#count(key, 'mustReset')) return;
    await this.#folder.addTo('must-reset', { id, email, reason });
  }

  /** @returns whether the user was not counted before */
  #count(key: string, as: Exclude<keyof BackTally, 'users'>): boolean {
    const name = `${as} ${key}`;
    if (this.#counted.has(name)) return false;
    this.#counted.add(name);
    this.tally[as] += 1;
    return true;
  }
}
