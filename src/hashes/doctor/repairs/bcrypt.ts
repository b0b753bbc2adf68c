/** Repairs of bcrypt's mark: the same 60 characters have another meaning after another mark. */

import { parameters } from '../examination.ts';
import type { Repair, Subject } from '../repair.ts';

const start = /^(?:\$wp|bcrypt_sha256\$|bcrypt\$)?\$2[abxy]?\$/;

export const bcryptRepairs: readonly Repair[] = [
  {
    name: 'bcrypt-version',
    parameter: parameters.hash,
    advice:
      'Write $2x$ for hashes of PHP before 5.3.7 with passwords beyond ASCII, and $2a$, $2b$ or $2y$ for all others: the version does not belong to this hash.',
    variants: (subject) => behind(subject, ['$2x$', '$2b$']),
  },
  {
    name: 'wordpress-prefix',
    parameter: parameters.hash,
    advice: 'Leave $wp before the hash: WordPress hashes something other than the password since 6.8.',
    variants: (subject) => behind(subject, ['$wp$2y$']),
  },
  {
    name: 'bcrypt-sha256-prefix',
    parameter: parameters.hash,
    advice: "Put bcrypt_sha256$ before the hash: it is Django's bcrypt of a SHA-256.",
    variants: (subject) => behind(subject, ['bcrypt_sha256$$2b$']),
  },
];

/** The cost, salt and hash of a bcrypt string with other marks. */
function behind({ hash }: Subject, marks: readonly string[]) {
  const found = start.exec(hash)?.[0];
  if (found === undefined) return [];
  const rest = hash.slice(found.length);
  return marks.filter((mark) => mark !== found).map((mark) => ({ hash: `${mark}${rest}`, given: undefined }));
}
