import type { ParseTask, RecordRules } from '../../workers/protocol.ts';
import { visitLines } from './chunk-lines.ts';
import { ClaimedKeys } from './claimed-keys.ts';
import { SimpleColumns } from './encode.ts';
import type { SimpleRow } from './encode.ts';
import { RowFinisher } from './finished-rows.ts';
import type { ByKind, Reject } from './job.ts';
import { chunkDigest } from './known-chunks.ts';
import { lineBytesLimit } from './lines.ts';
import { externalIdKind, fieldOfKey, keysOf, parseRecord } from './record.ts';
import type { BulkRecord, RecordKey, RecordReject } from './record.ts';
import { lineTooLong, notUtf8 } from './record/problem.ts';
import { Sealing } from './sealing.ts';
import type { ClaimOfChunk, FactorsOfLine, ParsedChunk, Seal } from './rows.ts';

/** Lines → rows: everything about a chunk that needs no database. */
export function parseChunk(task: ParseTask): ParsedChunk {
  const { bytes, isFirst, rules } = task;
  const parser = new ChunkParser(task);
  const lines = visitLines(bytes, isFirst, (text, start, end) => {
    parser.take(text, start, end);
  });
  const seal = parser.seal();
  return parser.result(lines, seal && { ...seal, digest: chunkDigest({ bytes, isFirst, rules }) });
}

const noKind = 255;
/** A sealed chunk keeps its rejects, one by one. */
const sealedRejectsLimit = 1000;
const openBrace = 123;
const blank = /^[ \t\r]*$/;

/**
 * What has been found in a chunk so far. A valid record claims its keys even when it is a duplicate itself, so what is a
 * duplicate does not depend on where the file was cut.
 */
class ChunkParser {
  readonly #rules: RecordRules;
  #line = 0;
  readonly #rejects: Reject[] = [];
  readonly #rows: SimpleColumns | RowFinisher;
  readonly #sealing: Sealing | undefined;
  readonly #simpleRecords: number[] = [];
  readonly #complexRecords: number[] = [];
  readonly #spans: number[] = [];
  readonly #linesOf: number[] = [];
  readonly #kinds: number[] = [];
  readonly #kindNames: string[] = [];
  readonly #factors: FactorsOfLine[] = [];
  readonly #claimed = new ClaimedKeys();
  readonly #claims: ClaimOfChunk[] = [];

  constructor({ bytes, rules, seals, finishFor }: ParseTask) {
    this.#rules = rules;
    this.#rows = finishFor ? new RowFinisher(finishFor, bytes.length) : new SimpleColumns();
    this.#sealing = seals ? new Sealing() : undefined;
  }

  /** The next physical line, blank or not. */
  take(text: string | undefined, start: number, end: number): void {
    this.#line++;
    if (end - start > lineBytesLimit) this.#reject(lineTooLong);
    else if (text === undefined) this.#reject(notUtf8);
    else if (text.charCodeAt(0) === openBrace || !blank.test(text)) this.#parse(text, start, end);
  }

  result(lines: number, seal: Seal | undefined): ParsedChunk {
    const rejects = this.#rejects;
    return {
      lines,
      rejects,
      rows: this.#rows.rows(seal && { seal, byKind: this.#byKind(), rejects, lines }),
      simpleRecords: Uint32Array.from(this.#simpleRecords),
      complexRecords: Uint32Array.from(this.#complexRecords),
      spans: Uint32Array.from(this.#spans),
      linesOf: Uint32Array.from(this.#linesOf),
      kinds: Uint8Array.from(this.#kinds),
      kindNames: this.#kindNames,
      factors: this.#factors,
      keys: this.#claimed.digests(),
      claims: this.#claims,
      seal,
    };
  }

  /**
   * undefined when it was not asked for, some valid record is not simple, a duplicate or has second factors, or some line
   * may be judged otherwise another time.
   */
  seal(): ReturnType<Sealing['seal']> {
    const lists = [this.#complexRecords, this.#claims, this.#factors];
    const isSimple = lists.every(({ length }) => length === 0);
    const isMostlyValid = this.#rejects.length <= sealedRejectsLimit;
    return isSimple && isMostlyValid && !this.#rejects.some(dependsOnJob) ? this.#sealing?.seal() : undefined;
  }

  #parse(text: string, start: number, end: number): void {
    const result = parseRecord(text, this.#rules);
    if (!result.ok) {
      this.#reject(result.reject);
      return;
    }
    const { record } = result;
    const keys = keysOf(record);
    const taken = this.#claim(keys);
    if (taken !== undefined || this.#rules.dryRun) this.#remember(keys);
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
    for (const { kind, key, tenantNo } of keys) this.#claims.push({ kind, key, tenantNo, line: this.#line });
  }

  #keep(record: BulkRecord, keys: readonly RecordKey[], start: number, end: number): void {
    const ordinal = this.#linesOf.length;
    this.#spans.push(start, end);
    this.#linesOf.push(this.#line);
    const { secondFactors: factors } = record;
    if (factors !== undefined) this.#factors.push({ line: this.#line, factors });
    const row = this.#simpleRow(record, keys);
    this.#kinds.push(row ? this.#kindOf(row) : noKind);
    if (!row) {
      this.#complexRecords.push(ordinal);
      return;
    }
    this.#rows.add(row);
    this.#sealing?.add(row);
    this.#simpleRecords.push(ordinal);
  }

  /** undefined for a record that has to be looked at by itself. */
  #simpleRow(record: BulkRecord, keys: readonly RecordKey[]): SimpleRow | undefined {
    const [method] = record.methods;
    const [identity] = method?.identities ?? [];
    const [tenantNo] = method?.tenantNos ?? [];
    if (method === undefined || identity === undefined || tenantNo === undefined) return undefined;
    // More keys than these: another login method, another tenant, or both an email and a phone number.
    const isSimple = keys.length === (record.externalUserId === undefined ? 1 : 2);
    if (!isSimple || method.plainTextPassword !== undefined) return undefined;
    return { line: this.#line, record, method, tenantNo, identity };
  }

  #kindOf({ method: { hashKind } }: SimpleRow): number {
    if (hashKind === undefined) return noKind;
    const place = this.#kindNames.indexOf(hashKind);
    return place < 0 ? this.#kindNames.push(hashKind) - 1 : place;
  }

  #byKind(): ByKind {
    const counts = this.#kindNames.map((name, place) => [
      name,
      this.#kinds.filter((each) => each === place).length,
    ]);
    return Object.fromEntries(counts) as ByKind;
  }

  #reject(reject: RecordReject): void {
    this.#rejects.push({ line: this.#line, ...reject });
  }
}

/** A join date in the future will have been one day; a second factor is refused by some jobs only. */
function dependsOnJob({ code, field }: Reject): boolean {
  return code === 'SECOND_FACTOR' || field.endsWith('timeJoinedInMSSinceEpoch');
}

function duplicate(key: RecordKey, { externalUserId }: BulkRecord): RecordReject {
  const what = key.kind === externalIdKind ? 'external id' : 'identity in this tenant';
  const message = `An earlier line of this import has the same ${what}: the first one counts, remove or correct the others`;
  return { code: 'DUPLICATE_IN_JOB', field: fieldOfKey(key), message, externalUserId };
}
