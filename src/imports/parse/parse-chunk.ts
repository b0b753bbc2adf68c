import type { JobRules, ParseTask } from '../tasks.ts';
import { baseText, detailsText } from './base.ts';
import { visitLines } from './lines.ts';
import { ClaimedKeys } from './claimed-keys.ts';
import type { FactorsOfLine } from './counted-lines.ts';
import { ComparedColumns, SimpleColumns, type SimpleRow } from './columns.ts';
import { RowFinisher } from './copy-rows.ts';
import { RareKeys } from './rare-keys.ts';
import { LineSketcher, markOf } from './line-mark.ts';
import { sketchChunk } from './sketch-chunk.ts';
import { mapColumns } from '../../domain/columns.ts';
import { lineCounters } from '../../domain/jobs/job-fields.ts';
import type { SignInState } from '../../domain/jobs/sign-in-states.ts';
import { isRolledBack, type Reject } from '../model.ts';
import { lineBytesLimit, lineTooLong } from '../../domain/line-limit.ts';
import {
  claimOf,
  externalIdKind,
  fieldOfKey,
  keysOf,
  parseRecord,
  hasOddDate,
  signInStateOf,
} from '../record/parse-record.ts';
import type { BulkRecord, RecordKey, RecordReject } from '../record/parse-record.ts';
import { notUtf8 } from '../record/problem.ts';
import { KeyColumns } from './sought-keys.ts';
import { statedReject } from './stated-reject.ts';
import type { ClaimOfChunk, ParsedChunk, ParsedRows } from './types.ts';

/** Lines → rows: everything about a chunk that needs no database. */
export function parseChunk(task: ParseTask): ParsedChunk {
  const byMarks = task.plan?.kind === 'compare' && task.plan.byMarks;
  const sketched = byMarks ? sketchChunk(task) : 'not wanted';
  if (typeof sketched === 'object')
    return { ...new ChunkParser({ ...task, bytes: nothing }).result(sketched.lines), ...sketched };
  const parser = new ChunkParser(task);
  const lines = visitLines(task.bytes, (text, start, end) => {
    parser.take(text, start, end);
  });
  const parsed = parser.result(lines);
  return { ...parsed, hasHiddenKeys: parsed.hasHiddenKeys || sketched === 'other forms' };
}

const nothing = new Uint8Array();
const noKind = 255;
const openBrace = 123;
const blank = /^[ \t\r]*$/;

/**
 * The findings in a chunk so far. A valid record claims its keys even when it is a duplicate itself, so the duplicates do not
 * depend on where the file was cut.
 */
class ChunkParser {
  readonly #rules: JobRules;
  readonly #sketcher: LineSketcher;
  #hasHiddenKeys = false;
  readonly #individually: ReadonlySet<number> | 'all';
  readonly #rareKeys: RareKeys | undefined;
  readonly #rareRecords: number[] = [];
  #line = 0;
  readonly #rejects: Reject[] = [];
  readonly #rows: RowGatherer;
  readonly #simpleRecords: number[] = [];
  readonly #complexRecords: number[] = [];
  readonly #complexKeys = new KeyColumns();
  readonly #spans: number[] = [];
  readonly #linesOf: number[] = [];
  readonly #kinds: number[] = [];
  readonly #kindNames: string[] = [];
  readonly #factors: FactorsOfLine[] = [];
  readonly #keptOut = new Map<SignInState, number[]>();
  readonly #counted = mapColumns(lineCounters, (): number[] => []);
  readonly #claimed = new ClaimedKeys();
  readonly #claims: ClaimOfChunk[] = [];

  constructor(task: ParseTask) {
    this.#rules = task.rules;
    this.#sketcher = new LineSketcher(task.bytes, task.rules);
    this.#individually = task.individually === 'all' ? 'all' : new Set(task.individually);
    this.#rareKeys = task.rare && new RareKeys(task.rare);
    this.#rows = gathererFor(task);
  }

  /** Accepts the next physical line, blank or not. */
  take(text: string | undefined, start: number, end: number): void {
    this.#line++;
    if (end - start > lineBytesLimit) this.#reject(lineTooLong);
    else if (text === undefined) this.#reject(notUtf8);
    else if (text.charCodeAt(0) === openBrace || !blank.test(text)) this.#parse(text, start, end);
  }

  result(lines: number): ParsedChunk {
    return {
      lines,
      rejects: this.#rejects,
      ...this.#rows.parsed(),
      simpleRecords: Uint32Array.from(this.#simpleRecords),
      complexRecords: Uint32Array.from(this.#complexRecords),
      complexKeys: this.#complexKeys.columns(),
      spans: Uint32Array.from(this.#spans),
      linesOf: Uint32Array.from(this.#linesOf),
      kinds: Uint8Array.from(this.#kinds),
      kindNames: this.#kindNames,
      factors: this.#factors,
      keptOut: Array.from(this.#keptOut, ([state, of]) => ({ state, lines: Uint32Array.from(of) })),
      counted: this.#counted,
      keys: this.#claimed.digests(),
      claims: this.#claims,
      hasHiddenKeys: this.#hasHiddenKeys,
      rare: this.#rareKeys && {
        records: Uint32Array.from(this.#rareRecords),
        marksOfOthers: this.#rareKeys.marksOfOthers(),
      },
    };
  }

  #parse(text: string, start: number, end: number): void {
    const result = parseRecord(text, this.#rules);
    if (!result.ok) {
      this.#reject(statedReject(text, this.#rules.idPrefix) ?? result.reject);
      return;
    }
    const { record } = result;
    const keys = keysOf(record);
    const taken = this.#claim(keys);
    if (taken !== undefined || isRolledBack(this.#rules)) this.#remember(keys);
    if (taken === undefined) this.#keep(record, keys, start, end);
    else this.#reject(duplicate(taken, record));
  }

  /** @returns the first key that an earlier record has claimed */
  #claim(keys: readonly RecordKey[]): RecordKey | undefined {
    let taken: RecordKey | undefined;
    for (const key of keys) if (!this.#claimed.claim(key)) taken ??= key;
    return taken;
  }

  #remember(keys: readonly RecordKey[]): void {
    for (const key of keys) this.#claims.push(claimOf(key, this.#line));
  }

  #keep(record: BulkRecord, keys: readonly RecordKey[], start: number, end: number): void {
    const ordinal = this.#linesOf.length;
    this.#spans.push(start, end);
    this.#linesOf.push(this.#line);
    const { secondFactors: factors } = record;
    if (factors !== undefined) this.#factors.push({ line: this.#line, factors });
    const state = signInStateOf(record);
    if (state !== 'password') this.#keepOut(state);
    if (hasOddDate(record)) this.#counted.oddDates.push(this.#line);
    const lineMark = this.#markOf(record, start, end);
    const isRare = this.#rareKeys?.isAmong(keys) === true;
    if (isRare) this.#rareRecords.push(ordinal);
    const isAlone = isRare || this.#individually === 'all' || this.#individually.has(ordinal);
    const row = isAlone ? undefined : this.#simpleRow(record, keys, lineMark);
    this.#kinds.push(row ? this.#kindOf(row) : noKind);
    if (!row) {
      this.#complexRecords.push(ordinal);
      this.#complexKeys.add(ordinal, record, keys);
      return;
    }
    this.#rows.add(row);
    this.#simpleRecords.push(ordinal);
  }

  #markOf(record: BulkRecord, start: number, end: number): number | undefined {
    if (!this.#sketcher.look(start, end)) return undefined;
    if (this.#sketcher.isOf(record, this.#rules)) return markOf(this.#sketcher, record);
    this.#hasHiddenKeys = true;
    return undefined;
  }

  #keepOut(state: SignInState): void {
    const lines = this.#keptOut.get(state);
    if (lines) lines.push(this.#line);
    else this.#keptOut.set(state, [this.#line]);
  }

  /** undefined for a record that has to be decided individually. */
  #simpleRow(
    record: BulkRecord,
    keys: readonly RecordKey[],
    lineMark: number | undefined,
  ): SimpleRow | undefined {
    const [method] = record.methods;
    const [identity] = method?.identities ?? [];
    const [tenantNo] = method?.tenantNos ?? [];
    if (method === undefined || identity === undefined || tenantNo === undefined) return undefined;
    // More keys than these: another login method, another tenant, or both an email and a phone number.
    const isSimple = keys.length === (record.externalUserId === undefined ? 1 : 2);
    if (!isSimple || method.plainTextPassword !== undefined) return undefined;
    const base = baseText(method, detailsText(record));
    return { line: this.#line, record, method, tenantNo, identity, base, lineMark };
  }

  #kindOf({ method: { hashKind } }: SimpleRow): number {
    if (hashKind === undefined) return noKind;
    const place = this.#kindNames.indexOf(hashKind);
    if (place >= 0 || this.#kindNames.length >= noKind) return place < 0 ? noKind : place;
    return this.#kindNames.push(hashKind) - 1;
  }

  #reject(reject: RecordReject): void {
    this.#rejects.push({ line: this.#line, ...reject });
  }
}

/** Collects simple records, in the order of their lines. */
interface RowGatherer {
  add(row: SimpleRow): void;
  parsed(): ParsedRows;
}

function gathererFor({ bytes, rules, plan = { kind: 'place' } }: ParseTask): RowGatherer {
  switch (plan.kind) {
    case 'create':
      return new RowFinisher(plan.job, rules, bytes.length);
    case 'compare':
      return new ComparedColumns(rules.compare === true);
    case 'place':
      return new SimpleColumns(rules.placeSecret, rules.sealing);
  }
}

function duplicate(key: RecordKey, { externalUserId }: BulkRecord): RecordReject {
  const what = key.kind === externalIdKind ? 'external id' : 'identity in this tenant';
  const message = `An earlier line of this import has the same ${what}: the first one counts, remove or correct the others`;
  return { code: 'DUPLICATE_IN_JOB', field: fieldOfKey(key), message, externalUserId };
}
