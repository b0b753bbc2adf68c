import { Around } from './around.ts';
import type { BatchBuilder } from './raw.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Deeper documents are refused: what follows would have to remember every bracket. */
const depthLimit = 512;
/** Longer keys are none of a path. */
const keyBytesLimit = 256;

/**
 * Finds the elements of an array in a JSON text that comes in pieces, without parsing it.
 *
 * Modes, by what the next byte belongs to:
 * - `outside`: the document around the array;
 * - `array`: the array itself, between its elements;
 * - `element`: an element, whose bytes go to the builder. Top-level values are elements where the path is empty and
 *   the document is no array.
 * `#isString` and `#isEscaped` hold in each of them. `#open` has the brackets that are open, those of an element too.
 * `#matched` is how many keys of the path led to the container that is open last but for brackets off the path.
 * Inside elements only strings and brackets are followed: the parser of them says the rest.
 */
export class JsonScanner {
  readonly #path: readonly string[];
  readonly #builder: Pick<BatchBuilder, 'add' | 'end'>;
  #mode: 'outside' | 'array' | 'element' = 'outside';
  #open: number[] = [];
  #isString = false;
  #isEscaped = false;
  /** Depth of the brackets around the elements: 0 for top-level values. */
  #arrayDepth = 0;
  #matched = 0;
  #key: number[] = [];
  #isKeyNext = false;
  /** The key just read leads on along the path. */
  #isOnPath = false;
  /** In the array: whether a comma, or the beginning, allows an element here; whether one must follow. */
  #expects: 'element' | 'elementOrEnd' | 'commaOrEnd' = 'elementOrEnd';
  #isScalar = false;
  #hasRoot = false;
  #hasArray = false;
  #offset = 0;
  #fault: string | undefined;
  /** Brackets around the object in which the path begins: 1 where it begins in each element of the document. */
  readonly #outerDepth: number;
  #arrays = 0;
  readonly #around = new Around();

  /** @param isInElements the document is an array, and the path begins in each of its elements */
  constructor(path: readonly string[], builder: Pick<BatchBuilder, 'add' | 'end'>, isInElements = false) {
    this.#path = path;
    this.#builder = builder;
    this.#outerDepth = isInElements ? 1 : 0;
  }

  /** Says what is wrong and where; nothing is read after it. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Whether the array was met. */
  get hasArray(): boolean {
    return this.#hasArray;
  }

  /** How many arrays were met under the path. */
  get arrays(): number {
    return this.#arrays;
  }

  /** The document without the elements of the array, once it has ended; undefined for a long one. */
  get around(): unknown {
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
      if (isElement && !wasElement) start = index;
      if (wasElement && !isElement) {
        this.#builder.add(chunk.subarray(start, includesByte ? index + 1 : index));
        this.#builder.end();
        start = -1;
      }
    }
    if (this.#fault !== undefined) return;
    this.#offset = offset + chunk.length;
    if (start >= 0) this.#builder.add(chunk.subarray(start));
  }

  /** The text has ended. @returns what is wrong, if anything */
  end(): string | undefined {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#mode === 'element' && this.#isScalar && this.#open.length === 0) {
      this.#builder.end();
      this.#mode = 'outside';
    }
    if (!this.#hasRoot) return this.#fail('the file is empty');
    if (this.#isString || this.#open.length > 0) return this.#fail('the document ends early');
    return undefined;
  }

  #isInElement(): boolean {
    return this.#mode === 'element';
  }

  #isOutside(): boolean {
    return this.#mode === 'outside';
  }

  /** The next byte of an element that changes what follows: nearly all bytes of an export are passed over here. */
  #skipPlain(chunk: Uint8Array, from: number): number {
    if (this.#isScalar || this.#isEscaped) return from;
    let index = from;
    const isString = this.#isString;
    for (; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (byte === quote) break;
      if (isString ? byte === backslash : isBracket(byte)) break;
    }
    return index;
  }

  /** @returns of a byte that ends an element whether it belongs to it */
  #step(byte: number): boolean {
    if (this.#isString) {
      if (this.#mode === 'outside') this.#around.add(byte);
      this.#inString(byte);
      return true;
    }
    if (this.#mode === 'element') return this.#inElement(byte);
    if (isSpace(byte)) return false;
    const wasOutside = this.#mode === 'outside';
    if (wasOutside) this.#outside(byte);
    else this.#inArray(byte);
    // Both brackets of the array belong to what is around it.
    if (!this.#isInElement() && (wasOutside || this.#isOutside())) this.#around.add(byte);
    return false;
  }

  #inString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isString = false;
      if (this.#mode === 'element') this.#endElementAt(this.#open.length);
      else this.#keyEnds();
      return;
    }
    if (this.#isKeyNext && this.#mode === 'outside' && this.#key.length < keyBytesLimit) this.#key.push(byte);
  }

  #inElement(byte: number): boolean {
    if (this.#isScalar) {
      if (!isSpace(byte) && byte !== comma && byte !== closeBracket && byte !== closeBrace) return true;
      this.#endElementAt(this.#arrayDepth);
      if (!isSpace(byte)) this.#step(byte);
      return false;
    }
    if (byte === quote) this.#isString = true;
    else if (byte === openBrace || byte === openBracket) this.#enter(byte);
    else if (byte === closeBrace || byte === closeBracket) {
      this.#leave(byte);
      this.#endElementAt(this.#open.length);
    }
    return true;
  }

  /** The element ends when its own brackets are closed. */
  #endElementAt(depth: number): void {
    if (depth !== this.#arrayDepth) return;
    this.#mode = this.#arrayDepth === 0 ? 'outside' : 'array';
    this.#expects = 'commaOrEnd';
    this.#isScalar = false;
  }

  #inArray(byte: number): void {
    if (byte === comma) {
      if (this.#expects !== 'commaOrEnd') this.#fail('there is a comma without an element before it');
      this.#expects = 'element';
    } else if (byte === closeBracket) {
      if (this.#expects === 'element') this.#fail('there is a comma without an element after it');
      this.#mode = 'outside';
      this.#leave(byte);
    } else if (this.#expects === 'commaOrEnd') this.#fail('a comma is missing between two elements');
    else this.#beginElement(byte);
  }

  #beginElement(byte: number): void {
    this.#mode = 'element';
    this.#isScalar = false;
    if (byte === openBrace || byte === openBracket) this.#enter(byte);
    else if (byte === quote) this.#isString = true;
    else if (/[-0-9tfn]/.test(String.fromCharCode(byte))) this.#isScalar = true;
    else this.#fail('here begins nothing that JSON knows');
  }

  #outside(byte: number): void {
    if (this.#open.length === 0) {
      this.#root(byte);
      return;
    }
    if (byte === quote) {
      this.#isString = true;
      this.#key = [];
    } else if (byte === openBrace || byte === openBracket) this.#descend(byte);
    else if (byte === closeBrace || byte === closeBracket) this.#leave(byte);
    else if (byte === comma) {
      this.#isOnPath = false;
      this.#isKeyNext = this.#isPathObject();
    } else if (byte !== colon) this.#isOnPath = false;
  }

  #root(byte: number): void {
    const isFirst = !this.#hasRoot;
    this.#hasRoot = true;
    if (byte === openBracket && isFirst && this.#outerDepth === 1) this.#enter(byte);
    else if (byte === openBracket && isFirst && this.#path.length === 0) this.#beginArray(byte);
    else if (this.#path.length === 0 && byte === openBrace && (isFirst || this.#arrayDepth === 0)) {
      this.#hasArray = true;
      this.#beginElement(byte);
    } else if (isFirst && byte === openBrace) {
      this.#enter(byte);
      this.#isKeyNext = true;
    } else this.#fail(isFirst ? 'this is no JSON document' : 'something follows the end of the document');
  }

  #descend(byte: number): void {
    const leadsOn = this.#isOnPath;
    this.#isOnPath = false;
    this.#isKeyNext = false;
    if (leadsOn && byte === openBracket && this.#matched + 1 === this.#path.length) {
      this.#beginArray(byte);
      return;
    }
    this.#enter(byte);
    if (byte === openBrace && this.#open.length === this.#outerDepth + 1) this.#isKeyNext = true;
    if (leadsOn && byte === openBrace && this.#matched + 1 < this.#path.length) {
      this.#matched += 1;
      this.#isKeyNext = true;
    }
  }

  #beginArray(byte: number): void {
    this.#enter(byte);
    this.#mode = 'array';
    this.#hasArray = true;
    this.#arrays += 1;
    this.#expects = 'elementOrEnd';
    this.#arrayDepth = this.#open.length;
  }

  /** A string outside the array has ended: a key, where one was due. */
  #keyEnds(): void {
    if (!this.#isKeyNext) {
      this.#isOnPath = false;
      return;
    }
    this.#isKeyNext = false;
    const key = Buffer.from(this.#key).toString('utf8');
    this.#isOnPath = key === this.#path[this.#matched];
  }

  /** Whether the container that is open last is the object in which the path's next key is looked for. */
  #isPathObject(): boolean {
    return this.#open.length === this.#outerDepth + this.#matched + 1 && this.#open.at(-1) === openBrace;
  }

  #enter(byte: number): void {
    if (this.#open.length >= depthLimit) this.#fail(`brackets are nested deeper than ${depthLimit}`);
    this.#open.push(byte);
  }

  #leave(byte: number): void {
    const opened = this.#open.pop();
    if ((opened === openBrace) !== (byte === closeBrace) || opened === undefined)
      this.#fail('a bracket closes that was not opened');
    this.#matched = Math.min(this.#matched, Math.max(this.#open.length - this.#outerDepth - 1, 0));
    this.#isKeyNext = false;
    this.#isOnPath = false;
  }

  #fail(what: string): string {
    this.#fault ??= `not readable as JSON at byte ${this.#offset}: ${what}`;
    return this.#fault;
  }
}

function isBracket(byte: number | undefined): boolean {
  return byte === openBrace || byte === closeBrace || byte === openBracket || byte === closeBracket;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
