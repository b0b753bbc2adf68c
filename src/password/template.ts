/** What a plain digest is computed over, and how the spellings say it. */

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

/**
 * The pieces of a template such as `{SALT}{PASSWORD}`: the password once, the salt at most once, other text as it is.
 * From Ory Kratos (hash/hash_comparator.go). Undefined when a mark is missing or comes twice.
 */
export function piecesOf(template: string, salt: Buffer): readonly Piece[] | undefined {
  const sides = template.split(passwordMark);
  const [before = '', after = ''] = sides;
  const salts = template.split(saltMark).length - 1;
  if (sides.length !== 2 || salts > 1) return undefined;
  return [...filled(before, salt), 'password', ...filled(after, salt)];
}

function filled(text: string, salt: Buffer): readonly Piece[] {
  const [before = '', after] = text.split(saltMark);
  const pieces = [
    Buffer.from(before, 'utf8'),
    ...(after === undefined ? [] : [salt, Buffer.from(after, 'utf8')]),
  ];
  return pieces.filter(({ length }) => length > 0);
}
