/** Makes a twin in three passes: the original is read, read again and replaced, and the twin is searched for it. */

import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { inOrder } from '../../exports/convert/in-order.ts';
import { type Packed, unpacked } from '../../exports/readers/bytes/compression.ts';
import { once } from '../../exports/readers/input.ts';
import type { TwinKey } from '../../exports/twin/keyed.ts';
import { Originals } from '../../exports/twin/originals.ts';
import type { HashClass, Listed, TwinCounts, TwinRules, TwinStock } from '../../exports/twin/tasks.ts';
import type { Config } from '../../config/load.ts';
import type { Incomplete } from '../../exports/readers/ending.ts';
import { createTwinPool, type TwinPool } from '../../threads/twin-pool.ts';
import { CommandError } from '../command-error.ts';
import type { Input } from '../input/input.ts';
import { readInput } from '../input/read-input.ts';
import type { UploadSource } from '../input/source.ts';
import { compressed, isPacked } from '../output/compressed.ts';
import { createProgress, type Progress } from '../output/progress.ts';
import type { Surroundings } from '../surroundings.ts';
import { batchesOf } from './batches.ts';
import { draftOf, publish, removeDrafts, type TwinFiles, writeDraft } from './files.ts';
import { madeUpSecrets, secretsOrStandIns, settingsFor } from './secrets.ts';
import { makeStock, passwordsLimit } from './stock.ts';

export interface TwinRequest {
  readonly input: Input;
  readonly config: Pick<Config, 'defaults'>;
  readonly files: TwinFiles;
  /** For making hashes. */
  readonly seconds: number;
  readonly key: TwinKey;
}

export interface MadeTwin {
  readonly counts: TwinCounts;
  /** Different values of the original of six characters or more. */
  readonly originals: number;
  /** Values of the twin that were compared with them. */
  readonly scanned: number;
  readonly listed: number;
  readonly classes: readonly MadeClassView[];
  readonly hasConfig: boolean;
  readonly incomplete: readonly Incomplete[];
}

export interface MadeClassView {
  readonly kind: HashClass['kind'];
  readonly users: number;
  /** Different hashes that were made; 0: of this kind none can be. */
  readonly made: number;
}

/** @throws CommandError, and leaves no file behind; so does an interrupt */
export async function makeTwin(request: TwinRequest, surroundings: Surroundings): Promise<MadeTwin> {
  const pool = createTwinPool(availableParallelism());
  try {
    return await new Run(request, pool, surroundings).all();
  } finally {
    await pool.close();
    await removeDrafts(request.files, surroundings.folder);
  }
}

/** Tasks under way for each thread, so that none is idle. */
const tasksPerThread = 2;

interface Survey {
  readonly originals: Originals;
  readonly classes: Record<string, HashClass>;
  lines: number;
  passwords: number;
}

/** One run: what its passes have in common. */
class Run {
  readonly #request: TwinRequest;
  readonly #pool: TwinPool;
  readonly #surroundings: Surroundings;

  constructor(request: TwinRequest, pool: TwinPool, surroundings: Surroundings) {
    this.#request = request;
    this.#pool = pool;
    this.#surroundings = surroundings;
  }

  async all(): Promise<MadeTwin> {
    const { files, seconds } = this.#request;
    const survey: Survey = { originals: new Originals(), classes: {}, lines: 0, passwords: 0 };
    const { incomplete } = await this.#read((source) => this.#survey(source, survey));
    const rules = this.#rules(survey);
    const { interrupt: signal } = this.#surroundings;
    const { table: originals } = survey.originals;
    const pool = this.#pool;
    const made = await makeStock({ classes: survey.classes, rules, originals, seconds, pool, signal });
    const passwords = Math.max(1, ...Object.values(made.classes).map(({ count }) => count));
    const listedShare = Math.min(1, (1.2 * passwordsLimit) / Math.max(1, survey.passwords));
    const stock = { ...made, originals, passwords, listedShare };
    const listing = new Listing();
    const counts = emptyCounts();
    await this.#read((source) => this.#replace(source, { rules, stock, listing, counts }));
    const scanned = await this.#scan(stock);
    await this.#writePasswords(listing);
    const hasConfig = await this.#writeConfig(rules);
    signal.throwIfAborted();
    await publish(files, hasConfig, this.#surroundings);
    const classes = Object.entries(survey.classes).map(([key, { kind, users }]) => ({
      kind,
      users,
      made: made.classes[key]?.count ?? 0,
    }));
    const { size } = survey.originals;
    return { counts, originals: size, scanned, listed: listing.size, classes, hasConfig, incomplete };
  }

  async #read(work: (source: UploadSource) => Promise<void>) {
    const rules = { acceptsPart: true, countsAmbiguousDates: true, statesRejects: true };
    return readInput(this.#request.input, rules, this.#surroundings, work);
  }

  async #survey(source: UploadSource, survey: Survey): Promise<void> {
    const { interrupt } = this.#surroundings;
    const surveyed = this.#inOrder(batchesOf(source.open(0, interrupt)), (lines) =>
      this.#pool.run({ type: 'survey', lines }),
    );
    for await (const { originals, classes, lines, passwords } of surveyed) {
      survey.originals.add(originals);
      survey.lines += lines;
      survey.passwords += passwords;
      for (const [key, each] of Object.entries(classes)) {
        const known = survey.classes[key];
        survey.classes[key] = known === undefined ? each : { ...known, users: known.users + each.users };
      }
    }
  }

  #rules({ classes }: Survey): TwinRules {
    const { key, config, input } = this.#request;
    const { signerKey, pepper, hashLimits: limits } = config.defaults;
    const found = Object.values(classes);
    const madeUp = madeUpSecrets(found);
    return {
      key,
      now: this.#surroundings.now(),
      limits,
      secrets: secretsOrStandIns({ signerKey, pepper }, madeUp, found),
      madeUp,
      isConverted: !input.isPlain,
    };
  }

  async #replace(source: UploadSource, { rules, stock, listing, counts }: ReplacePass): Promise<void> {
    const { interrupt, stderr, now } = this.#surroundings;
    const progress = createProgress({ output: stderr, totalBytes: source.fileBytes, now, noun: 'record' });
    const batches = batchesOf(source.open(0, interrupt));
    const replaced = this.#inOrder(batches, async (lines) => {
      const bytes = lines.length;
      return { bytes, ...(await this.#pool.run({ type: 'replace', lines, rules, stock })) };
    });
    try {
      const { records } = this.#request.files;
      const texts = textsOf(replaced, { listing, counts, progress, source });
      await writeDraft(records, isPacked(records) ? compressed(texts) : texts, this.#surroundings);
    } finally {
      progress.stop();
    }
  }

  /** @throws CommandError that names the fields, if it finds anything */
  async #scan({ originals }: TwinStock): Promise<number> {
    const { folder, interrupt: signal } = this.#surroundings;
    const { records } = this.#request.files;
    const bytes = createReadStream(draftOf(path.resolve(folder, records)), {
      highWaterMark: 262_144,
      signal,
    });
    const lines = batchesOf(isPacked(records) ? unpacked(bytes, gzipOf(records)) : bytes);
    const found = new Set<string>();
    let values = 0;
    const scanned = this.#inOrder(lines, (each) => this.#pool.run({ type: 'scan', lines: each, originals }));
    for await (const part of scanned) {
      values += part.values;
      for (const field of part.found) found.add(field);
    }
    if (found.size === 0) return values;
    const fields = [...found].sort().join(', ');
    throw new CommandError(
      `An original value is in the twin, in ${fields}: nothing was written. This is a fault of carryover: please report it`,
      { code: 'TWIN_HAS_ORIGINALS', field: fields },
    );
  }

  async #writePasswords(listing: Listing): Promise<void> {
    await writeDraft(this.#request.files.passwords, once(Buffer.from(listing.csv())), this.#surroundings);
  }

  async #writeConfig({ madeUp }: TwinRules): Promise<boolean> {
    const settings = settingsFor(madeUp);
    if (settings === undefined) return false;
    await writeDraft(this.#request.files.config, once(Buffer.from(settings)), this.#surroundings);
    return true;
  }

  #inOrder<Item, Result>(items: AsyncIterable<Item>, work: (item: Item) => Promise<Result>) {
    return inOrder(items, work, this.#pool.threads * tasksPerThread);
  }
}

const gzipOf = (file: string): Packed => ({ file, compression: 'gzip', zipped: undefined });

interface ReplacePass {
  readonly rules: TwinRules;
  readonly stock: TwinStock;
  readonly listing: Listing;
  readonly counts: TwinCounts;
}

interface Collecting {
  readonly listing: Listing;
  readonly counts: TwinCounts;
  readonly progress: Progress;
  readonly source: UploadSource;
}

async function* textsOf(
  replaced: AsyncIterable<{
    readonly bytes: number;
    readonly text: Uint8Array;
    readonly listed: readonly Listed[];
    readonly counts: TwinCounts;
  }>,
  { listing, counts, progress, source }: Collecting,
): AsyncGenerator<Uint8Array> {
  let read = 0;
  for await (const each of replaced) {
    read += each.bytes;
    listing.add(each.listed);
    addCounts(counts, each.counts);
    progress.update({ bytes: source.fileBytesAt(read), records: counts.records, rejected: counts.rejected });
    yield each.text;
  }
}

function emptyCounts(): TwinCounts {
  return { records: 0, rejected: 0, stated: 0, known: 0, unknown: {}, leftOut: 0 };
}

function addCounts(sum: TwinCounts, { unknown, ...numbers }: TwinCounts): void {
  sum.records += numbers.records;
  sum.rejected += numbers.rejected;
  sum.stated += numbers.stated;
  sum.known += numbers.known;
  sum.leftOut += numbers.leftOut;
  for (const [kind, users] of Object.entries(unknown)) sum.unknown[kind] = (sum.unknown[kind] ?? 0) + users;
}

/** The users whose passwords are listed: of two with one email the first, as in an import. */
class Listing {
  readonly #byEmail = new Map<string, Listed>();

  add(listed: readonly Listed[]): void {
    for (const each of listed) {
      if (this.#byEmail.size >= passwordsLimit) return;
      if (!this.#byEmail.has(each.email)) this.#byEmail.set(each.email, each);
    }
  }

  get size(): number {
    return this.#byEmail.size;
  }

  /** One of each kind and cost first, so that the beginning of the file is one of canaries. */
  csv(): string {
    const all = [...this.#byEmail.values()];
    const firsts = new Set(new Map(all.toReversed().map((each) => [each.hashClass, each])).values());
    const ordered = [...firsts, ...all.filter((each) => !firsts.has(each))];
    return [
      'email,password',
      ...ordered.map(({ email, password }) => `${cell(email)},${cell(password)}`),
      '',
    ].join('\n');
  }
}

function cell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
