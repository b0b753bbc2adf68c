import { decodeBase64 } from './binary.ts';
import { saltBytesLimit } from './ceilings.ts';
import { digested, longSalt } from './digested.ts';
import { malformed } from './outcome.ts';
import type { Parser } from './outcome.ts';
import type { ParsedDigest } from './parsed.ts';
import { digestBytes } from './template.ts';
import type { DigestName } from './template.ts';

/** LDAP's `{SSHA}base64(digest ‖ salt)` of password ‖ salt, and `{SHA}` without salt (RFC 2307; OpenLDAP's pw-sha2). */
export function parseLdap(digest: DigestName, salted: boolean): Parser<ParsedDigest<'ldap'>> {
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
