/** What makes a chunk known: the digest of its bytes, and that of its users' rows. */

import { createHash, hash } from 'node:crypto';
import type { DigestTask, RecordRules } from '../../workers/protocol.ts';

/** To be raised when records are judged, or written to `users`, otherwise than by the release before. */
const rulesVersion = 1;

/**
 * SHA-256, hexadecimal, over a chunk's bytes and all that decides what they mean. Not over `onConflict`: who is unchanged
 * is so whatever it says. Nor over the time: it is but the join date of a record without one, which is never compared.
 */
export function chunkDigest({ bytes, isFirst, rules }: Omit<DigestTask, 'type'>): string {
  return createHash('sha256').update(fingerprint(rules, isFirst)).update(bytes).digest('hex');
}

/** Of one length, so that it cannot be taken for bytes of the chunk. */
function fingerprint(rules: RecordRules, isFirst: boolean): Buffer {
  const { tenants, limits, signerKey, pepper, allowPlainText } = rules;
  const keys = [signerKey, pepper].map((key) => key && Buffer.from(key).toString('hex'));
  const judged = [rulesVersion, isFirst, allowPlainText, keys, sorted(tenants), sorted(limits)];
  return hash('sha256', JSON.stringify(judged), 'buffer');
}

function sorted(object: object): unknown[] {
  const entries: [string, unknown][] = Object.entries(object);
  return entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, typeof value === 'object' && value !== null ? sorted(value) : value]);
}

/** Cells of the table `users` as a simple record states them. */
export interface StatedRow {
  readonly recipe: number;
  /** `t` or `f` */
  readonly verified: string;
  /** `t`: it is its own primary user. */
  readonly isPrimary: string | undefined;
  readonly email: string | undefined;
  readonly passwordHash: string | undefined;
  readonly thirdPartyId: string | undefined;
  readonly thirdPartyUserId: string | undefined;
  readonly phone: string | undefined;
  readonly externalId: string | undefined;
}

/**
 * A row as a text that no other row has, nor any two rows together: each cell has its length in bytes in front, and NULL
 * has none. `statedText` of store/bulk/known-chunks.ts makes the same of a stored row; a test holds the two together.
 */
export function statedText(row: StatedRow): string {
  const { recipe, verified, isPrimary = 'f', email, passwordHash, thirdPartyId, thirdPartyUserId } = row;
  const own = `${recipe}${verified}${isPrimary}${cell(email)}${cell(passwordHash)}`;
  return `${own}${cell(thirdPartyId)}${cell(thirdPartyUserId)}${cell(row.phone)}${cell(row.externalId)}`;
}

function cell(text: string | undefined): string {
  return text === undefined ? ':' : `${Buffer.byteLength(text)}:${text}`;
}

/** A call of the hash takes as long as hashing some hundred bytes. */
const textsAtOnce = 64;

/**
 * SHA-256 over the rows' texts in the order of the records. Only few texts are kept: what lives as long as its chunk is what
 * costs the garbage collector.
 */
export class StateDigest {
  readonly #hash = createHash('sha256');
  #texts: string[] = [];

  add(text: string): void {
    if (this.#texts.push(text) === textsAtOnce) this.#flush();
  }

  /** Hexadecimal. No row may follow. */
  hex(): string {
    this.#flush();
    return this.#hash.digest('hex');
  }

  #flush(): void {
    this.#hash.update(this.#texts.join(''));
    this.#texts = [];
  }
}
