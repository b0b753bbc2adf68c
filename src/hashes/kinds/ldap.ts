/** The digests of LDAP. */

import { malformed, type HashKind, type Parser } from '../kind.ts';
import { saltBytesLimit } from '../limits.ts';
import { digestBytes, digestCost, digested, digestRow, longSalt } from '../parts/digested.ts';
import type { DigestName, ParsedDigest } from '../parts/digested.ts';
import { decodeBase64 } from '../parts/encodings.ts';

/** LDAP's `{SSHA}base64(digest ‖ salt)` of password ‖ salt, and `{SHA}` without salt (RFC 2307; OpenLDAP's pw-sha2). */
function parseLdap(digest: DigestName, salted: boolean): Parser<ParsedDigest<'ldap'>> {
  return (hash) => {
    const bytes = decodeBase64(hash.slice(hash.indexOf('}') + 1), 'any');
    const salt = bytes?.subarray(digestBytes[digest]);
    if (salt === undefined || salt.length > 0 !== salted) {
      return malformed(
        `it is not base64 of a digest ${salted ? 'and a salt after it' : 'alone'} (it may have been cut off)`,
      );
    }
    if (salt.length > saltBytesLimit) return longSalt;
    const expected = bytes?.subarray(0, digestBytes[digest]);
    return digested({ kind: 'ldap', digest, pieces: salted ? ['password', salt] : ['password'], expected });
  };
}

export const ldap: HashKind<ParsedDigest<'ldap'>> = {
  ...digestRow,
  label: 'LDAP',
  spellings: [
    ['{md5}', parseLdap('md5', false)],
    ['{smd5}', parseLdap('md5', true)],
    ['{sha}', parseLdap('sha1', false)],
    ['{ssha}', parseLdap('sha1', true)],
    ['{sha256}', parseLdap('sha256', false)],
    ['{ssha256}', parseLdap('sha256', true)],
    ['{sha384}', parseLdap('sha384', false)],
    ['{ssha384}', parseLdap('sha384', true)],
    ['{sha512}', parseLdap('sha512', false)],
    ['{ssha512}', parseLdap('sha512', true)],
  ],
  cost: ({ digest, ...rest }) => ({ digest, ...digestCost(rest) }),
  wholes: [{ head: /^\{SSHA512\}/i, characters: 88, part: 'hash' }],
};
