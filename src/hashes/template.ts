/** What a plain digest is computed over, and how the spellings say it. */

import { decodeBase64 } from './binary.ts';

/** Bytes of a digest. */
export const digestBytes = {
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
} as const;

export type DigestName = keyof typeof digestBytes;

/** The password, or bytes that are the same for every password. */
export type Piece = 'password' | Buffer;

const passwordMark = '{PASSWORD}';
const saltMark = '{SALT}';

/** The templates that nearly all hashes have, in base64: they need not be decoded and searched. */
const saltFirst = Buffer.from(`${saltMark}${passwordMark}`).toString('base64');
const saltLast = Buffer.from(`${passwordMark}${saltMark}`).toString('base64');

/** As piecesOf for a template in padded base64. */
export function piecesOfEncoded(template: string, salt: Buffer): readonly Piece[] | undefined {
  if (salt.length > 0 && template === saltFirst) return [salt, 'password'];
  if (salt.length > 0 && template === saltLast) return ['password', salt];
  return piecesOf(decodeBase64(template, 'padded')?.toString('utf8') ?? '', salt);
}

/**
 * The pieces of a template such as `{SALT}{PASSWORD}`: the password once, the salt at most once, other text as it is.
 * From Ory Kratos (hash/hash_comparator.go). Undefined when a mark is missing or comes twice.
 */
export function piecesOf(template: string, salt: Buffer): readonly Piece[] | undefined {
  const passwordAt = template.indexOf(passwordMark);
  const saltAt = template.indexOf(saltMark);
  if (passwordAt < 0 || template.includes(passwordMark, passwordAt + 1)) return undefined;
  if (saltAt >= 0 && template.includes(saltMark, saltAt + 1)) return undefined;
  const after = passwordAt + passwordMark.length;
  const pieces: Piece[] = [];
  pushText(pieces, { text: template.slice(0, passwordAt), saltAt, salt });
  pieces.push('password');
  pushText(pieces, { text: template.slice(after), saltAt: saltAt - after, salt });
  return pieces;
}

interface Side {
  readonly text: string;
  /** Outside of the text when the salt stands elsewhere, or nowhere. */
  readonly saltAt: number;
  readonly salt: Buffer;
}

/** Pushes what a side of the password says, nothing for empty texts: this is done for each hash that is parsed. */
function pushText(pieces: Piece[], { text, saltAt, salt }: Side): void {
  if (saltAt < 0 || saltAt >= text.length) {
    if (text !== '') pieces.push(Buffer.from(text, 'utf8'));
    return;
  }
  const after = saltAt + saltMark.length;
  if (saltAt > 0) pieces.push(Buffer.from(text.slice(0, saltAt), 'utf8'));
  if (salt.length > 0) pieces.push(salt);
  if (after < text.length) pieces.push(Buffer.from(text.slice(after), 'utf8'));
}
