/** Sketches the lines of a chunk of which nearly all are expected to be known. */

import { arrayOf, jsonText, mapColumns } from '../../domain/columns.ts';
import { identityKey, identityKind } from '../../domain/identity.ts';
import { markedColumns, markedHereColumns } from '../../domain/user-columns.ts';
import { inspect } from '../record/inspect.ts';
import { digestOf } from '../record/keys.ts';
import { externalIdKind, keysOf, parseRecord } from '../record/parse-record.ts';
import { hasTwice } from '../sorted-numbers.ts';
import type { JobRules, ParseTask } from '../tasks.ts';
import { metadataDigest } from './base.ts';
import { LineSketcher } from './line-mark.ts';
import { visitSpans } from './lines.ts';
import type { ParsedLines, SketchedLines } from './types.ts';

type Sketched = Pick<ParsedLines, 'lines' | 'keys'> & { readonly sketched: SketchedLines };

/** One of this number of lines may be of another form: it is parsed to know its keys, and once more when it is imported. */
const othersOneOf = 8;
/** This number of lines may be of another form before the ratio is checked. */
const othersAtFirst = 20;

const utf8 = new TextDecoder();

/** @returns why the chunk has to be parsed as a whole, if it has to */
export function sketchChunk({ bytes, rules }: ParseTask): Sketched | 'other forms' | 'shared keys' {
  const sketches = new Sketches(bytes, rules);
  const lines = visitSpans(bytes, (start, end) => {
    if (sketches.isWorthIt) sketches.take(start, end);
  });
  return sketches.result(lines);
}

type HereCells = Readonly<Record<keyof typeof markedHereColumns, (string | undefined)[]>>;

/** @param text of the metadata, as the line seems to have it */
function addHere(cells: HereCells, key: string, text: string | undefined): void {
  const metadata = text === undefined ? undefined : metadataIn(text);
  cells.key.push(key);
  cells.metadata.push(jsonText(metadata));
  cells.metadataDigest.push(metadata === undefined ? undefined : metadataDigest(metadata));
}

/** @returns undefined for what no record may have: its line is parsed */
function metadataIn(text: string): object | undefined {
  try {
    const metadata = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return inspect(text, metadata) === undefined ? metadata : undefined;
  } catch {
    return undefined;
  }
}

class Sketches {
  readonly #bytes: Uint8Array;
  readonly #rules: JobRules;
  readonly #sketcher: LineSketcher;
  readonly #keys: number[] = [];
  readonly #lines: number[] = [];
  readonly #ids: string[] = [];
  readonly #digests: number[] = [];
  readonly #starts: number[] = [];
  readonly #here: HereCells | undefined;
  readonly #group: { readonly tenantNo: number };
  #line = 0;
  #others = 0;

  constructor(bytes: Uint8Array, rules: JobRules) {
    this.#bytes = bytes;
    this.#rules = rules;
    this.#sketcher = new LineSketcher(bytes, rules);
    this.#group = { tenantNo: rules.tenants.public ?? 0 };
    this.#here = rules.compare === true ? { key: [], metadata: [], metadataDigest: [] } : undefined;
  }

  take(start: number, end: number): void {
    this.#line++;
    this.#starts.push(start);
    if (this.#sketcher.look(start, end)) this.#add();
    else if (end > start) this.#addOther(start, end);
  }

  get isWorthIt(): boolean {
    return this.#others <= othersAtFirst || this.#others * othersOneOf <= this.#line;
  }

  result(lines: number): Sketched | 'other forms' | 'shared keys' {
    const count = this.#ids.length;
    if (!this.isWorthIt) return 'other forms';
    const keys = Float64Array.from(this.#keys).sort();
    if (hasTwice(keys)) return 'shared keys';
    const cells = { line: this.#lines, externalId: this.#ids, lineMark: this.#digests };
    const columns = mapColumns(markedColumns, (form, name) => arrayOf(form, cells[name]));
    const linesOf = Uint32Array.from(this.#lines);
    const starts = Uint32Array.from(this.#starts);
    const here =
      this.#here && mapColumns(markedHereColumns, (form, name) => arrayOf(form, this.#here?.[name] ?? []));
    const hasOthers = this.#others > 0;
    return { lines, keys, sketched: { count, ...columns, linesOf, starts, hasOthers, here } };
  }

  #add(): void {
    const { externalId, email } = this.#sketcher;
    const id = (this.#rules.idPrefix ?? '') + externalId;
    this.#ids.push(id);
    this.#digests.push(this.#sketcher.digest());
    this.#lines.push(this.#line);
    const key = identityKey(email);
    const ofEmail = { kind: identityKind.email, ...this.#group, text: key };
    this.#keys.push(digestOf({ kind: externalIdKind, tenantNo: 0, text: id }), digestOf(ofEmail));
    if (this.#here !== undefined) addHere(this.#here, key, this.#sketcher.metadata);
  }

  /** An invalid record has no keys. */
  #addOther(start: number, end: number): void {
    this.#others++;
    const result = parseRecord(utf8.decode(this.#bytes.subarray(start, end)), this.#rules);
    if (result.ok) for (const key of keysOf(result.record)) this.#keys.push(digestOf(key));
  }
}
