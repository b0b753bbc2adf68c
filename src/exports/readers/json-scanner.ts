import { Around } from './around.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
  textOf,
} from './json-bytes.ts';
import { depthLimit, type Nesting, placeOfEnd } from './json-element.ts';
import { each, type ListPath, type Step } from './list-path.ts';
import type { BatchBuilder } from './raw.ts';

/** Longer keys do not belong to a path. */
const keyBytesLimit = 256;

/**
 * Finds the records of a list in a JSON text that arrives in pieces, without parsing it.
 *
 * Modes, by what the next byte belongs to:
 * - `outside`: the document around the list;
 * - `list`: the list itself, between its elements;
 * - `element`: an element, whose bytes are passed to the builder. Top-level values are elements where a top-level array is
 *   expected and the document is not one.
 *
 * `#nesting` is maintained in each of them: it has the open brackets, including those of an element. The first `#onPath` of them
 * are on the path to the list; the step from the last of these is `#steps[#onPath - 1]`. Inside elements only strings and
 * brackets are tracked: their parser checks the rest.
 */
export class JsonScanner {
  readonly #steps: readonly Step[];
  readonly #beside: readonly string[];
  readonly #isFound: boolean;
  readonly #builder: Pick<BatchBuilder, 'add' | 'end'>;
  #mode: 'outside' | 'list' | 'element' = 'outside';
  readonly #nesting: Nesting = { open: [], isString: false, isEscaped: false };
  /** Brackets around the elements: 0 for top-level values. */
  #listDepth = 0;
  #onPath = 0;
  /** Bytes of the string that is being read, if needed: a key, or the text of a field next to the list. */
  #text: number[] = [];
  #reads: 'key' | 'text' | 'nothing' = 'nothing';
  #isKeyNext = false;
  /** The key just read is on the path. */
  #leadsOn = false;
  /** The key just read belongs to a field whose text is stored. */
  #fieldBeside: string | undefined;
  #textsBeside: Record<string, string> = {};
  /** In the list: whether a comma, or the beginning, allows an element here; whether one must follow. */
  #expects: 'element' | 'elementOrEnd' | 'commaOrEnd' | 'colon' | 'value' = 'elementOrEnd';
  #isScalar = false;
  #hasRoot = false;
  #hasArray = false;
  #offset = 0;
  #fault: string | undefined;
  #arrays = 0;
  readonly #around = new Around();

  constructor({ steps, beside = [], isFound = false }: ListPath, builder: Pick<BatchBuilder, 'add' | 'end'>) {
    this.#steps = steps;
    this.#beside = beside;
    this.#isFound = isFound;
    this.#builder = builder;
  }

  /** The fault and its position; nothing is read after it. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Whether the list was found. */
  get hasArray(): boolean {
    return this.#hasArray;
  }

  /** The number of lists found under the path. */
  get arrays(): number {
    return this.#arrays;
  }

  /** The documents without the elements of the list, once they have ended; empty for long ones. */
  get around(): readonly unknown[] {
    return this.#around.asJson();
  }

  push(chunk: Uint8Array): void {
    const offset = this.#offset;
    let start = this.#isInElement() ? 0 : -1;
    for (let index = 0; index < chunk.length && this.#fault === undefined; index += 1) {
      const wasElement = this.#isInElement();
      if (wasElement) index = this.#skipPlain(chunk, index);
      const byte = chunk[index];
      this.#offset = offset + index;
      if (byte === undefined) break;
      const includesByte = this.#step(byte);
      const isElement = this.#isInElement();
      if (isElement && !wasElement) {
        start = index;
        if (this.#isFound) this.#builder.add(this.#tag());
      }
      if (wasElement && !isElement) {
        this.#builder.add(chunk.subarray(start, includesByte ? index + 1 : index));
        this.#endRecord();
        start = -1;
      }
    }
    if (this.#fault !== undefined) return;
    this.#offset = offset + chunk.length;
    if (start >= 0) this.#builder.add(chunk.subarray(start));
  }

  /** The text has ended. @returns the fault, if any */
  end(): string | undefined {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#mode === 'element' && this.#isScalar && this.#nesting.open.length === 0) {
      this.#endRecord();
      this.#mode = 'outside';
    }
    if (!this.#hasRoot) return this.#fail('the file is empty');
    if (this.#nesting.isString || this.#nesting.open.length > 0) return this.#fail('the document ends early');
    return undefined;
  }

  #endRecord(): void {
    if (this.#isFound) this.#builder.add(endOfTag);
    this.#builder.end();
  }

  /** The prefix of a record in a list that was found. */
  #tag(): Uint8Array {
    const isKeyed =
      this.#nesting.open[this.#listDepth - 1] === openBrace && this.#text.length < keyBytesLimit;
    const key = isKeyed ? `"${textOf(this.#text)}"` : 'null';
    const texts = Object.entries(this.#textsBeside).map(([name, text]) => `"${name}":"${text}"`);
    return Buffer.from(`[${key},${texts.length === 0 ? 'null' : `{${texts.join(',')}}`},`);
  }

  #isInElement(): boolean {
    return this.#mode === 'element';
  }

  #isOutside(): boolean {
    return this.#mode === 'outside';
  }

  /** The next byte of an element that may end it, or is invalid there: nearly all bytes of an export are skipped here. */
  #skipPlain(chunk: Uint8Array, from: number): number {
    return this.#isScalar ? from : placeOfEnd(chunk, from, this.#nesting, this.#listDepth);
  }

  /** @returns for a byte that ends an element whether it belongs to it */
  #step(byte: number): boolean {
    if (this.#nesting.isString) {
      if (this.#mode === 'outside') this.#around.add(byte);
      this.#inString(byte);
      return true;
    }
    if (this.#mode === 'element') return this.#inElement(byte);
    if (isSpace(byte)) return false;
    const wasOutside = this.#mode === 'outside';
    if (wasOutside) this.#outside(byte);
    else this.#inList(byte);
    // Both brackets of the list belong to the document around it.
    if (!this.#isInElement() && (wasOutside || this.#isOutside())) this.#around.add(byte);
    return false;
  }

  #inString(byte: number): void {
    if (this.#nesting.isEscaped) this.#nesting.isEscaped = false;
    else if (byte === backslash) this.#nesting.isEscaped = true;
    else if (byte === quote) {
      this.#nesting.isString = false;
      if (this.#mode === 'element') this.#endElementAt(this.#nesting.open.length);
      else if (this.#mode === 'list') this.#expects = 'colon';
      else this.#stringEnds();
      return;
    }
    if (this.#mode !== 'element' && this.#reads !== 'nothing' && this.#text.length < keyBytesLimit)
      this.#text.push(byte);
  }

  #inElement(byte: number): boolean {
    if (this.#isScalar) {
      if (!isSpace(byte) && byte !== comma && byte !== closeBracket && byte !== closeBrace) return true;
      this.#endElementAt(this.#listDepth);
      if (!isSpace(byte)) this.#step(byte);
      return false;
    }
    if (byte === quote) this.#nesting.isString = true;
    else if (byte === openBrace || byte === openBracket) this.#enter(byte);
    else if (byte === closeBrace || byte === closeBracket) {
      this.#leave(byte);
      this.#endElementAt(this.#nesting.open.length);
    }
    return true;
  }

  /** The element ends when its own brackets are closed. */
  #endElementAt(depth: number): void {
    if (depth !== this.#listDepth) return;
    this.#mode = this.#listDepth === 0 ? 'outside' : 'list';
    this.#expects = 'commaOrEnd';
    this.#isScalar = false;
  }

  #inList(byte: number): void {
    const isKeyed = this.#nesting.open.at(-1) === openBrace;
    if (byte === comma) {
      if (this.#expects !== 'commaOrEnd') this.#fail('there is a comma without an element before it');
      this.#expects = 'element';
    } else if (byte === (isKeyed ? closeBrace : closeBracket)) {
      if (this.#expects === 'element') this.#fail('there is a comma without an element after it');
      if (this.#expects === 'colon' || this.#expects === 'value')
        this.#fail('there is a key without a value');
      this.#mode = 'outside';
      this.#leave(byte);
    } else if (this.#expects === 'commaOrEnd') this.#fail('a comma is missing between two elements');
    else if (isKeyed && this.#expects !== 'value') this.#beforeValue(byte);
    else this.#beginElement(byte);
  }

  /** For a list by keys: the key and the colon. */
  #beforeValue(byte: number): void {
    if (this.#expects === 'colon' && byte === colon) this.#expects = 'value';
    else if (this.#expects !== 'colon' && byte === quote) this.#beginString('key');
    else this.#fail('here a key should stand, and a colon after it');
  }

  #beginString(reads: 'key' | 'text' | 'nothing'): void {
    this.#nesting.isString = true;
    this.#reads = reads;
    this.#text = [];
  }

  #beginElement(byte: number): void {
    this.#mode = 'element';
    this.#isScalar = false;
    if (byte === openBrace || byte === openBracket) this.#enter(byte);
    else if (byte === quote) this.#nesting.isString = true;
    else if (/[-0-9tfn]/.test(String.fromCharCode(byte))) this.#isScalar = true;
    else this.#fail('here begins nothing that JSON knows');
  }

  #outside(byte: number): void {
    if (this.#nesting.open.length === 0) {
      this.#root(byte);
      return;
    }
    if (byte === quote) {
      const isText = this.#fieldBeside !== undefined && this.#nesting.open.length === this.#onPath;
      this.#beginString(this.#isKeyNext ? 'key' : isText ? 'text' : 'nothing');
    } else if (byte === openBrace || byte === openBracket) this.#descend(byte);
    else if (byte === closeBrace || byte === closeBracket) this.#leave(byte);
    else if (byte === comma) {
      this.#valueEnds();
      this.#isKeyNext = this.#isPathObject();
    } else if (byte !== colon) this.#valueEnds();
  }

  #valueEnds(): void {
    this.#leadsOn = false;
    this.#fieldBeside = undefined;
    this.#isKeyNext = false;
  }

  #root(byte: number): void {
    const isFirst = !this.#hasRoot;
    this.#hasRoot = true;
    const isContainer = byte === openBrace || byte === openBracket;
    if (this.#steps.length === 1 && !this.#isFound && byte === openBrace && this.#listDepth === 0) {
      this.#hasArray = true;
      this.#beginElement(byte);
    } else if (!isFirst && !this.#isFound) this.#fail('something follows the end of the document');
    else if (!isContainer || (!this.#isFound && !this.#fits(byte)))
      this.#fail(isFirst ? 'this is no JSON document' : 'something follows the end of the document');
    else {
      if (!isFirst) this.#around.next();
      this.#follow(byte);
    }
  }

  #descend(byte: number): void {
    const isOnPath = this.#nesting.open.length === this.#onPath;
    const isEach = this.#steps[this.#onPath - 1] === each && this.#nesting.open.at(-1) === openBracket;
    const leadsOn = isOnPath && (isEach || this.#leadsOn);
    this.#valueEnds();
    if (leadsOn) this.#follow(byte);
    else this.#enter(byte);
  }

  /** Whether a container on the path is of the kind that the next step needs. */
  #fits(byte: number): boolean {
    const isLast = this.#onPath === this.#steps.length - 1;
    if (this.#steps[this.#onPath] !== each) return byte === openBrace;
    return byte === openBracket || (isLast && this.#isFound);
  }

  /** Enters a container on the path. */
  #follow(byte: number): void {
    const fits = this.#fits(byte);
    this.#enter(byte);
    if (!fits) return;
    this.#onPath += 1;
    if (this.#onPath === this.#steps.length) this.#beginList();
    else {
      this.#isKeyNext = byte === openBrace;
      if (this.#isHolder()) this.#textsBeside = {};
    }
  }

  #beginList(): void {
    this.#mode = 'list';
    this.#hasArray = true;
    this.#arrays += 1;
    this.#expects = 'elementOrEnd';
    this.#listDepth = this.#nesting.open.length;
  }

  /** A string outside the list has ended. */
  #stringEnds(): void {
    const reads = this.#reads;
    const [field, isKeyNext] = [this.#fieldBeside, this.#isKeyNext];
    this.#valueEnds();
    if (reads === 'text' && field !== undefined && this.#text.length < keyBytesLimit)
      this.#textsBeside[field] = textOf(this.#text);
    if (reads !== 'key' || !isKeyNext) return;
    const key = textOf(this.#text);
    this.#leadsOn = key === this.#steps[this.#onPath - 1];
    if (this.#isHolder() && this.#beside.includes(key)) this.#fieldBeside = key;
  }

  /** Whether the path's last container is the object that has the list under one of its keys. */
  #isHolder(): boolean {
    return this.#onPath === this.#steps.length - 1 && this.#steps[this.#onPath - 1] !== each;
  }

  /** Whether the innermost open container is the object with the path's next key. */
  #isPathObject(): boolean {
    return this.#nesting.open.length === this.#onPath && this.#nesting.open.at(-1) === openBrace;
  }

  #enter(byte: number): void {
    if (this.#nesting.open.length >= depthLimit) this.#fail(`brackets are nested deeper than ${depthLimit}`);
    this.#nesting.open.push(byte);
  }

  #leave(byte: number): void {
    const opened = this.#nesting.open.pop();
    if ((opened === openBrace) !== (byte === closeBrace) || opened === undefined)
      this.#fail('a bracket closes that was not opened');
    this.#onPath = Math.min(this.#onPath, this.#nesting.open.length);
    this.#valueEnds();
  }

  #fail(what: string): string {
    this.#fault ??= `not readable as JSON at byte ${this.#offset}: ${what}`;
    return this.#fault;
  }
}

const endOfTag = Buffer.from(']');
