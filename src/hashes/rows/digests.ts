/** Digests, which cost next to nothing: weak, but what some users still have. */

import { digestMs, digestStateBytes } from '../cost.ts';
import { parseDjangoDigest, parseHexDigest, parseTemplateDigest } from '../digest.ts';
import { parseHmac } from '../hmac.ts';
import { parseLdap } from '../ldap.ts';
import type { ParsedDigest } from '../parsed.ts';
import type { DigestName } from '../template.ts';
import type { KindRow, KindRows } from './row.ts';

const digestCost = {
  bytes: () => digestStateBytes,
  work: ({ iterations }: { readonly iterations: number }) => iterations * digestMs,
};

export const digestRows: Pick<KindRows, DigestName | 'ldap' | 'hmac'> = {
  md5: rowOfDigest('md5', [['md5$', parseDjangoDigest('md5')]]),
  sha1: rowOfDigest('sha1', [['sha1$', parseDjangoDigest('sha1')]]),
  sha256: rowOfDigest('sha256'),
  sha384: rowOfDigest('sha384'),
  sha512: rowOfDigest('sha512'),
  ldap: {
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
    ...digestCost,
  },
  hmac: {
    label: 'HMAC',
    spellings: [
      ['$hmac-md5$', parseHmac('md5')],
      ['$hmac-sha1$', parseHmac('sha1')],
      ['$hmac-sha256$', parseHmac('sha256')],
      ['$hmac-sha384$', parseHmac('sha384')],
      ['$hmac-sha512$', parseHmac('sha512')],
    ],
    bytes: () => digestStateBytes,
    work: () => 2 * digestMs,
  },
};

function rowOfDigest<Kind extends DigestName>(
  kind: Kind,
  spellings: KindRow<ParsedDigest<Kind>>['spellings'] = [],
): KindRow<ParsedDigest<Kind>> {
  return {
    label: kind.toUpperCase(),
    spellings: [[`$${kind}$`, parseTemplateDigest(kind)], ...spellings],
    parseUnmarked: parseHexDigest(kind),
    ...digestCost,
  };
}
