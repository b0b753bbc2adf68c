/**
 * Recognises a repeated line without parsing it. A user who is created or changed by a record has the mark of its line
 * (`users.line_mark`) next to the base that the record made: if id and mark are those of the row, the record states the same as
 * last time, and is unchanged.
 *
 * A sketch finds the keys of a line by its form alone, and may find wrong ones. Only a line whose record has exactly these keys
 * gets a mark; so the keys of a line with the mark of its row are right.
 */

import type { HashKindName } from '../../hashes/registry.ts';
import { digest } from '../../domain/digests.ts';
import { lineMarkBits } from '../../domain/user-columns.ts';
import { type BulkRecord, isFree } from '../record/parse-record.ts';
import type { JobRules } from '../tasks.ts';

/** To be raised when a formerly valid record becomes invalid, or means something else. */
const version = 1;

/** Their positions are stored: new ones are appended. Lines with other kinds have no mark. */
const markedKinds = [
  ...(['bcrypt', 'bcrypt_2x', 'bcrypt_sha256', 'bcrypt_wordpress', 'bcrypt_peppered', 'argon2'] as const),
  ...(['provider_scrypt', 'scrypt', 'better_auth', 'pbkdf2', 'pbkdf2_kratos', 'aspnet', 'phpass'] as const),
  ...(['sha512_crypt', 'sha256_crypt', 'md5_crypt', 'md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const),
  ...(['ldap', 'hmac', 'construction'] as const),
] as const satisfies readonly HashKindName[];

/** The compiler names a kind that is missing above: its lines would be parsed again at each import without anyone noticing. */
type Unmarked = Exclude<HashKindName, (typeof markedKinds)[number]>;
true satisfies [Unmarked] extends [never] ? true : Unmarked;

/** @param place the position stored in a mark */
export function nameOfKind(place: number): HashKindName {
  const name = (markedKinds as readonly HashKindName[])[place];
  if (name === undefined) throw new Error(`a mark names the kind of hash ${place}, which does not exist`);
  return name;
}

const idMark = Buffer.from('{"externalUserId":"');
const recipeMark = Buffer.from('"recipeId":');
const emailMark = Buffer.from('"recipeId":"emailpassword","email":"');
const tenantsMark = Buffer.from('"tenantIds":');
const metadataMark = Buffer.from('"userMetadata":{');
const space = 32;
const quote = 34;
const backslash = 92;
const openBrace = 123;
const closeBrace = 125;
const del = 127;
/** Emails are stored in lower case. */
const capitals = { from: 65, to: 90 } as const;
const noCode = { from: 1, to: 0 } as const;

/** Examines the lines of a chunk, in their order: does the line describe a user with one password, in the public tenant? */
export class LineSketcher {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #low: number;
  readonly #high: number;
  #start = 0;
  #end = 0;
  #idEnd = 0;
  #emailAt = 0;
  #emailEnd = 0;
  readonly #recipes: Search;
  readonly #tenants: Search;
  readonly #metadata: Search;

  constructor({ buffer, byteOffset, length }: Uint8Array, rules: Pick<JobRules, KeyRules>) {
    this.#bytes = Buffer.from(buffer, byteOffset, length);
    this.#view = new DataView(buffer, byteOffset, length);
    this.#recipes = new Search(this.#bytes, recipeMark);
    this.#tenants = new Search(this.#bytes, tenantsMark);
    this.#metadata = new Search(this.#bytes, metadataMark);
    const { low, high } = digestKey(rules);
    this.#low = low;
    this.#high = high;
  }

  /** @param end without the line end @returns false for a line of another form */
  look(start: number, end: number): boolean {
    this.#start = start;
    this.#end = end;
    if (!this.#isAt(start, idMark)) return false;
    this.#idEnd = this.#endOfText(start + idMark.length, end, noCode);
    if (this.#idEnd < 0 || this.#tenants.next(start) < end) return false;
    const recipeAt = this.#recipes.next(this.#idEnd);
    if (!this.#isAt(recipeAt, emailMark)) return false;
    this.#emailAt = recipeAt + emailMark.length;
    this.#emailEnd = this.#endOfText(this.#emailAt, end, capitals);
    return this.#emailEnd > 0 && this.#recipes.next(this.#emailEnd) >= end;
  }

  #isAt(at: number, text: Buffer): boolean {
    for (let n = 0; n < text.length; n++) if (this.#bytes[at + n] !== text[n]) return false;
    return true;
  }

  /** Of the line that was examined last, as are all others below. Without the prefix of the import. */
  get externalId(): string {
    return this.#bytes.toString('latin1', this.#start + idMark.length, this.#idEnd);
  }

  get email(): string {
    return this.#bytes.toString('latin1', this.#emailAt, this.#emailEnd);
  }

  /**
   * By its form alone: the caller has to compare its digest with that of the record.
   * @returns undefined without metadata, and where it has a backslash or no end
   */
  get metadata(): string | undefined {
    const at = this.#metadata.next(this.#start);
    if (at >= this.#end) return undefined;
    const from = at + metadataMark.length - 1;
    const end = this.#endOfObject(from);
    return end < 0 ? undefined : this.#bytes.toString('utf8', from, end);
  }

  /** @param from the position of its opening brace @returns the position behind its closing one, or -1 */
  #endOfObject(from: number): number {
    let [depth, isInText] = [0, false];
    for (let at = from; at < this.#end; at++) {
      const byte = this.#bytes[at];
      if (byte === backslash) return -1;
      if (byte === quote) isInText = !isInText;
      else if (!isInText && byte === openBrace) depth++;
      else if (!isInText && byte === closeBrace && --depth === 0) return at + 1;
    }
    return -1;
  }

  /** Whether a record has exactly the keys that its line seems to have. */
  isOf({ externalUserId = '', methods }: BulkRecord, { tenants, idPrefix = '' }: JobRules): boolean {
    const [method] = methods;
    return (
      methods.length === 1 &&
      method?.recipe === 1 &&
      method.tenantNos.length === 1 &&
      method.tenantNos[0] === tenants.public &&
      this.#has(method.email ?? '', this.#emailAt, this.#emailEnd) &&
      this.#has(externalUserId.slice(idPrefix.length), this.#start + idMark.length, this.#idEnd)
    );
  }

  #has(text: string, from: number, end: number): boolean {
    if (text.length !== end - from) return false;
    for (let n = 0; n < text.length; n++) if (text.charCodeAt(n) !== this.#bytes[from + n]) return false;
    return true;
  }

  /** @returns the position of its closing quote; -1 if it is empty, or has other characters than visible ASCII */
  #endOfText(from: number, end: number, excluded: { readonly from: number; readonly to: number }): number {
    const bytes = this.#bytes;
    for (let at = from; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) return at > from ? at : -1;
      if (byte <= space || byte >= del || byte === backslash) return -1;
      if (byte >= excluded.from && byte <= excluded.to) return -1;
    }
    return -1;
  }

  /** Words mixed as in MurmurHash3 (Appleby), in two lanes that begin at different secrets: 0.12 µs for 270 bytes. */
  digest(): number {
    const [view, end] = [this.#view, this.#end];
    let [low, high, at] = [this.#low, this.#high, this.#start];
    let last = end - at;
    for (; at + 4 <= end; at += 4) {
      const word = view.getInt32(at, true);
      low = Math.imul(low ^ word, 0x85ebca6b);
      low ^= low >>> 15;
      high = (Math.imul(((high << 13) | (high >>> 19)) ^ word, 0xc2b2ae35) + low) | 0;
    }
    for (; at < end; at++) last = Math.imul(last, 257) ^ view.getUint8(at);
    low = mixed(low ^ last);
    high = mixed(high ^ low ^ last);
    return (high & 0x7fff) * 2 ** 32 + (low >>> 0);
  }
}

/** Searches for a text repeatedly: if it is absent, the bytes are searched once, and not once a line. */
class Search {
  readonly #bytes: Buffer;
  readonly #text: Buffer;
  #at = -1;

  constructor(bytes: Buffer, text: Buffer) {
    this.#bytes = bytes;
    this.#text = text;
  }

  /**
   * @returns the first position from there on, which is never before the last one asked for; the end of all bytes if there is
   *   none
   */
  next(from: number): number {
    if (this.#at < from) {
      const at = this.#bytes.indexOf(this.#text, from);
      this.#at = at < 0 ? Infinity : at;
    }
    return this.#at;
  }
}

function mixed(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

type KeyRules = 'placeSecret' | 'limits' | 'signerKey' | 'pepper';

/** Other limits make other records valid: the line then has another mark. */
function digestKey({ placeSecret, limits, signerKey, pepper }: Pick<JobRules, KeyRules>): {
  low: number;
  high: number;
} {
  const judged = JSON.stringify([version, limits, signerKey !== undefined, pepper !== undefined]);
  const salt = digest(judged);
  return { low: placeSecret.low ^ salt.readInt32LE(0), high: placeSecret.high ^ salt.readInt32LE(4) };
}

/**
 * The mark of the line that was examined.
 * @returns undefined if more of its record counts than that it is unchanged, and what kind of hash it has
 */
export function markOf(
  sketcher: LineSketcher,
  { methods: [method], restrictions, secondFactors }: BulkRecord,
): number | undefined {
  const kind = markedKinds.findIndex((each) => each === method?.hashKind);
  const isPlain = isFree(restrictions) && secondFactors === undefined;
  if (kind < 0 || !isPlain || method?.isDateOdd === true) return undefined;
  return kind * 2 ** lineMarkBits + sketcher.digest();
}

/** The same for one record's line. */
export function lineMarkOf(text: string, record: BulkRecord, rules: JobRules): number | undefined {
  const bytes = Buffer.from(text);
  const sketcher = new LineSketcher(bytes, rules);
  const isSo = sketcher.look(0, bytes.length) && sketcher.isOf(record, rules);
  return isSo ? markOf(sketcher, record) : undefined;
}
