/** Adds up the outcomes of a chunk's records. */

import { mapColumns } from '../../domain/columns.ts';
import { identityKey } from '../../domain/identity.ts';
import { type LineCounter, lineCounters } from '../../domain/jobs/job-fields.ts';
import type { PrimaryLine, PrimaryRow } from '../parse/primaries.ts';
import type { ByState, SignInState } from '../../domain/jobs/sign-in-states.ts';
import {
  type ByFactor,
  type Conflict,
  isPassedOver,
  isRolledBack,
  isUnusable,
  type Reject,
  type SecondFactor,
} from '../model.ts';
import { numberOf, numberOfReject, type SimpleOutcome } from '../ledger/outcomes.ts';
import type {
  AddedCounts,
  ChunkResults,
  Claim,
  LineOutcome,
  Placed,
  Postponed,
  Recognised,
} from '../ports.ts';
import type { Decided, Holders } from '../parse/types.ts';
import { nameOfKind } from '../parse/line-mark.ts';
import type { Moves } from './recent-commits.ts';
import { digestOfId, digestsOfIds, type Seen } from './seen-users.ts';
import { type ChunkToWrite, type PreparedChunk, singleRecord } from './prepared.ts';

export interface WrittenChunk extends ChunkResults {
  /** Digests of keys that later chunks have to look up, as claims or as taken from their users. */
  readonly claimed: readonly number[];
  readonly moves: Moves;
  /** Its primary users were compared with others, or refused for them. */
  readonly comparesPrimaries: boolean;
  /** Looking up lines by their marks was not worth it. */
  readonly areMarksUseless: boolean;
  readonly seen: Seen;
  readonly primaries: readonly PrimaryLine[];
}

/** Kinds of claims of released keys, above those of identities: see import_claims. */
const releasedKinds = 10;

/** A dry run rolls back what it writes, so claims of a separate kind inform later chunks. */
function releasedClaim({ kind, ...key }: Decided['released'][number]): Claim {
  return { kind: kind + releasedKinds, ...key, line: 0 };
}

/** The kind of claims of external ids that only the search for absent users reads; see import_claims. */
const namedKind = 15;

/** A rejected record still shows that its person is in the file, unless it marks the person as deleted. */
function namedClaims(rejects: readonly Reject[]): Claim[] {
  const named = rejects.filter(({ isGone }) => isGone !== true);
  return named.flatMap(({ line, externalUserId: id }) =>
    id === undefined ? [] : [{ kind: namedKind, key: identityKey(id), tenantNo: 0, line }],
  );
}

const noKind = 255;
const decidedOutcomes = ['created', 'updated', 'unchanged', 'skipped'] as const;

export class Tally {
  readonly #input: ChunkToWrite;
  readonly #counts = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
  readonly #byKind = new Map<string, number>();
  readonly #rejects: Reject[];
  readonly #conflicts: Conflict[] = [];
  readonly #claims: Claim[];
  readonly #claimed: number[];
  readonly #postponed: Postponed[] = [];
  readonly #touched = new Set<string>();
  readonly #primaries: PrimaryLine[] = [];
  readonly #unchanged: Uint8Array[] = [];
  /** If the job lists each line. */
  readonly #outcomes: LineOutcome[] | undefined;
  #rebased = 0;
  #moves: Moves = 'nothing';

  constructor(input: ChunkToWrite) {
    this.#input = input;
    this.#outcomes = input.job.receipt === true ? [] : undefined;
    const { parsed, linesBefore } = input;
    this.#rejects = parsed.rejects.map((reject) => ({ ...reject, line: reject.line + linesBefore }));
    this.#claims = parsed.claims.map((claim) => ({ ...claim, line: claim.line + linesBefore }));
    if (input.job.absent !== undefined) this.#claims.push(...namedClaims(this.#rejects));
    this.#claimed = parsed.claims.map(({ digest }) => digest);
  }

  addRecognised({ count, kinds, users, lines }: Recognised): void {
    this.#counts.unchanged += count;
    if (this.#outcomes)
      for (const line of Array.from(lines)) this.#note(this.#input.linesBefore + line, 'unchanged');
    this.#unchanged.push(users);
    for (const [place, of] of kinds) this.#add(nameOfKind(place), of);
  }

  /** @param left simple records that are yet to be decided */
  addPlaced(placed: Placed, left: readonly number[]): void {
    const { created, unchanged, users } = placed;
    if (this.#outcomes) this.#notePlaced(placed);
    this.#counts.created += created;
    this.#counts.unchanged += unchanged;
    this.#unchanged.push(users);
    const { kinds, simpleRecords, kindNames } = this.#input.parsed;
    const byPlace = new Int32Array(256);
    const count = (record: number, by: number): void => {
      const place = kinds[record] ?? noKind;
      byPlace[place] = (byPlace[place] ?? 0) + by;
    };
    for (const record of simpleRecords) count(record, 1);
    for (const record of left) count(record, -1);
    for (const [place, name] of kindNames.entries()) this.#add(name, byPlace[place] ?? 0);
  }

  /** @param rows those that are created if they are new */
  addPrimaries(rows: readonly PrimaryRow[]): void {
    const { parsed, linesBefore } = this.#input;
    for (const { row, head } of rows) {
      const line = parsed.linesOf[parsed.simpleRecords[row] ?? 0] ?? 0;
      this.#primaries.push({ line: linesBefore + line, head });
    }
  }

  /** @param methods the login methods of users met by records that were decided individually */
  addTouched(methods: Holders['methods']): void {
    for (const { userId } of methods) this.#touched.add(userId);
  }

  addDecided(decided: Decided): void {
    const { counts, lines, byKind, rejects, claims, movesKeys, isSeenByOthers } = decided;
    if (this.#outcomes)
      for (const outcome of decidedOutcomes) for (const line of lines[outcome]) this.#note(line, outcome);
    this.#counts.created += counts.created;
    this.#counts.updated += counts.updated;
    this.#counts.unchanged += counts.unchanged;
    this.#counts.skipped += counts.skipped;
    for (const [kind, count] of Object.entries(byKind)) this.#add(kind, count);
    this.#rejects.push(...rejects);
    this.#conflicts.push(...decided.conflicts);
    this.#rebased += decided.rebased;
    this.#primaries.push(...decided.primaries);
    if (isRolledBack(this.#input.job)) this.#claims.push(...decided.released.map(releasedClaim));
    else this.#claims.push(...claims);
    for (const { digest } of [...decided.released, ...claims]) this.#claimed.push(digest);
    for (const record of decided.postponed) {
      const { line, text } = singleRecord(this.#input, record);
      this.#postponed.push({ line, text });
    }
    if (movesKeys || isSeenByOthers) this.#moves = 'known';
  }

  result(): WrittenChunk {
    return {
      added: this.#added(),
      rejects: this.#rejects.sort((a, b) => a.line - b.line),
      conflicts: this.#conflicts.sort((a, b) => a.line - b.line),
      claims: this.#claims,
      claimed: this.#claimed,
      postponed: this.#postponed.sort((a, b) => a.line - b.line),
      outcomes: this.#allOutcomes(),
      moves: this.#moves,
      comparesPrimaries: this.#primaries.length > 0 || this.#input.rivals.length > 0,
      areMarksUseless: false,
      seen: this.#seen(),
      primaries: this.#primaries,
    };
  }

  #note(line: number, outcome: SimpleOutcome): void {
    this.#outcomes?.push({ line, outcome: numberOf(outcome) });
  }

  #notePlaced({ created, left, same = [] }: Placed): void {
    const { parsed, linesBefore } = this.#input;
    const isLeft = new Set(left);
    const isSame = new Set(same);
    for (const [row, record] of parsed.simpleRecords.entries()) {
      if (isLeft.has(row)) continue;
      const outcome = created === 0 || isSame.has(row) ? 'unchanged' : 'created';
      this.#note(linesBefore + (parsed.linesOf[record] ?? 0), outcome);
    }
  }

  #allOutcomes(): readonly LineOutcome[] | undefined {
    if (this.#outcomes === undefined) return undefined;
    const rejected = this.#rejects.map(({ line, code }) => ({ line, outcome: numberOfReject(code) }));
    const postponed = this.#postponed.map(({ line }) => ({ line, outcome: numberOf('postponed') }));
    return [...this.#outcomes, ...rejected, ...postponed];
  }

  #added(): AddedCounts {
    const { created, updated, unchanged, skipped } = this.#counts;
    const rejects = this.#rejects;
    const notCounted = new Set([...rejects, ...this.#postponed].map(({ line }) => line));
    return {
      ...this.#counts,
      ...countLines(this.#input, notCounted),
      rejected: rejects.length,
      statedRejects: rejects.filter(({ isStated }) => isStated).length,
      unusable: rejects.filter(isUnusable).length,
      passedOver: rejects.filter(isPassedOver).length,
      different: rejects.filter(({ code }) => code === 'DIFFERENT_PERSON').length,
      conflicts: this.#conflicts.length,
      rebased: this.#input.job.dryRun ? 0 : this.#rebased,
      postponed: this.#postponed.length,
      byKind: Object.fromEntries([...this.#byKind].filter(([, count]) => count > 0)),
      byFactor: countFactors(this.#input, notCounted),
      byState: this.#states(created + updated + unchanged + skipped, notCounted),
    };
  }

  #states(imported: number, notCounted: ReadonlySet<number>): ByState {
    const removedHere = this.#rejects.filter(({ code }) => code === 'REMOVED_HERE').length;
    const counts = countStates(this.#input, notCounted, imported);
    return removedHere > 0 ? { ...counts, removedHere } : counts;
  }

  #seen(): Seen {
    const unchanged = digestsOfIds(Buffer.concat(this.#unchanged));
    const touched = Float64Array.from(this.#touched, digestOfId);
    return { unchanged, touched, inOneRow: this.#input.plan.seenInOneRow };
  }

  #add(kind: string, count: number): void {
    this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + count);
  }
}

type Lines = Pick<PreparedChunk, 'parsed' | 'linesBefore'>;
/** Lines of the upload whose records are rejected or postponed. */
type NotCounted = ReadonlySet<number>;

/** Counts the records of a chunk by their second factors. */
function countFactors({ parsed, linesBefore }: Lines, notCounted: NotCounted): ByFactor {
  const counts: Partial<Record<SecondFactor, number>> = {};
  for (const { line, factors } of parsed.factors) {
    if (notCounted.has(linesBefore + line)) continue;
    for (const factor of factors) counts[factor] = (counts[factor] ?? 0) + 1;
  }
  return counts;
}

/** Counts the records of a chunk that the parser has listed. */
function countLines(
  { parsed, linesBefore }: Lines,
  notCounted: NotCounted,
): Readonly<Record<LineCounter, number>> {
  return mapColumns(
    lineCounters,
    (_, counter) => parsed.counted[counter].filter((line) => !notCounted.has(linesBefore + line)).length,
  );
}

/**
 * Counts the records of a chunk by whether and how their users can sign in. The parser lists all that do not sign in with a
 * password, so the rest does.
 * @param imported the number of its records that are not rejected
 */
function countStates({ parsed, linesBefore }: Lines, notCounted: NotCounted, imported: number): ByState {
  const counts: Partial<Record<SignInState, number>> = {};
  let password = imported;
  for (const { state, lines } of parsed.keptOut) {
    const count = lines.filter((line) => !notCounted.has(linesBefore + line)).length;
    if (count > 0) counts[state] = count;
    password -= count;
  }
  return password > 0 ? { password, ...counts } : counts;
}
