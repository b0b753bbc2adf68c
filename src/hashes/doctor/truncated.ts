/** Hashes that were cut off: how many characters are missing, where the kind has one length. */

/** Column widths at which databases and spreadsheets cut. */
interface Whole {
  /** Everything up to the part whose length is known. */
  readonly head: RegExp;
  /** Characters after it in a whole hash. */
  readonly characters: number;
  readonly part: string;
}

const wholes: readonly Whole[] = [
  {
    head: /^(?:\$wp|bcrypt_sha256\$|bcrypt\$|\{bcrypt\})?\$2[abxy]\$\d\d\$/,
    characters: 53,
    part: 'salt and hash',
  },
  { head: /^\$[PH]\$/, characters: 31, part: 'cost, salt and hash' },
  { head: /^\$(?:6|sha512-crypt)\$(?:rounds=\d+\$)?[^$]*\$/, characters: 86, part: 'hash' },
  { head: /^\$(?:5|sha256-crypt)\$(?:rounds=\d+\$)?[^$]*\$/, characters: 43, part: 'hash' },
  { head: /^\$(?:1|md5-crypt)\$[^$]*\$/, characters: 22, part: 'hash' },
  { head: /^\$argon2(?:id|i|d)\$v=\d+\$[^$]*\$[^$]*\$/, characters: 43, part: 'hash' },
  { head: /^pbkdf2_sha256\$\d+\$[^$]*\$/, characters: 44, part: 'hash' },
  { head: /^pbkdf2_sha1\$\d+\$[^$]*\$/, characters: 28, part: 'hash' },
  { head: /^pbkdf2_sha512\$\d+\$[^$]*\$/, characters: 88, part: 'hash' },
  { head: /^scrypt\$\d+\$[^$]*\$\d+\$\d+\$/, characters: 88, part: 'hash' },
  { head: /^scrypt:\d+:\d+:\d+\$[^$]*\$/, characters: 128, part: 'hash' },
  { head: /^pbkdf2:sha256:\d+\$[^$]*\$/, characters: 64, part: 'hash' },
  { head: /^pbkdf2:sha512:\d+\$[^$]*\$/, characters: 128, part: 'hash' },
  { head: /^\{SSHA512\}/i, characters: 88, part: 'hash' },
  { head: /^md5\$[^$]*\$/, characters: 32, part: 'hash' },
  { head: /^sha1\$[^$]*\$/, characters: 40, part: 'hash' },
  { head: /^[0-9a-f]{32}:/, characters: 128, part: 'hash' },
  { head: /^AQAAAA/, characters: 78, part: 'rest' },
];

/** A hash that lacks more than this was hardly cut off: it is something else. */
const textLimit = 512;

/** What to say of a hash that is shorter than its kind is; undefined when it is not, or when the kind has no one length. */
export function truncation(hash: string): string | undefined {
  const text = hash.slice(0, textLimit);
  for (const { head, characters, part } of wholes) {
    const start = head.exec(text)?.[0];
    if (start === undefined) continue;
    const missing = characters - (hash.length - start.length);
    if (missing <= 0) return undefined;
    return `its ${part} has ${characters - missing} characters where ${characters} are usual: ${missing} are missing, so look for a column or field that is too short`;
  }
  return undefined;
}
