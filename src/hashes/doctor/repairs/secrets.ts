/** Repairs of the secrets: signer key and pepper. */

import { createHmac } from 'node:crypto';
import { decodeBase64, decodeHex } from '../../parts/encodings.ts';
import type { HashKindName, ParsedHash } from '../../registry.ts';
import { parameters } from '../examination.ts';
import type { Repair, Subject, Variant } from '../repair.ts';

export const secretRepairs: readonly Repair[] = [
  {
    name: 'signer-key-carried',
    parameter: parameters.signerKey,
    advice: 'Configure the signer key that the hash carries: the configured one is another.',
    variants: carriedKey,
  },
  {
    name: 'signer-key-base64-twice',
    parameter: parameters.signerKey,
    advice: 'The configured signer key is base64 of base64: decode it once.',
    variants: ofKey((key) => decodeBase64(urlSafe(key.toString('latin1').trim()), 'any')),
  },
  {
    name: 'signer-key-hex',
    parameter: parameters.signerKey,
    advice: 'The configured signer key is hexadecimal: write its bytes in base64.',
    variants: ofKey(
      (key) => decodeHex(key.toString('latin1').trim()),
      (key) => decodeHex(key.toString('base64')),
    ),
  },
  {
    name: 'signer-key-text',
    parameter: parameters.signerKey,
    advice: 'The old system took the text of the signer key for the key: configure base64 of that text.',
    variants: ofKey(
      (key) => Buffer.from(key.toString('base64')),
      (key) => Buffer.from(key.toString('hex')),
    ),
  },
  {
    name: 'pepper-left-off',
    parameter: parameters.algorithm,
    advice: 'Set hashingAlgorithm to bcrypt_peppered: the hash was made with the configured pepper.',
    variants: ({ hash, parsed, secrets }) =>
      parsed?.kind === 'bcrypt' && hasPepper(secrets.pepper) ? [{ hash, given: 'bcrypt_peppered' }] : [],
  },
  {
    name: 'pepper-left-on',
    parameter: parameters.algorithm,
    advice: 'Set hashingAlgorithm to bcrypt: the hash was made without a pepper.',
    variants: ({ parsed }) => (parsed?.kind === 'bcrypt_peppered' ? [{ parsed: parsed.inner }] : []),
  },
  {
    name: 'pepper-spelling',
    parameter: parameters.pepper,
    advice:
      'Configure the pepper as the old system had it: it has quotes, white space or a line end too many or too few, or is to be decoded first.',
    variants: otherPeppers,
  },
  {
    name: 'pepper-position',
    parameter: parameters.pepper,
    advice:
      'The old system put the pepper before the password, or used it as the key of an HMAC, which is not supported: have these users set a new password.',
    variants: otherPositions,
  },
  {
    name: 'pepper-other-kind',
    parameter: parameters.pepper,
    advice:
      'The old system peppered this kind too; here only bcrypt can be peppered: have these users set a new password.',
    variants: ({ parsed, password, secrets: { pepper } }) =>
      parsed === undefined || isBcrypt(parsed.kind) || !hasPepper(pepper)
        ? []
        : [{ password: Buffer.concat([password, pepper]) }, { password: Buffer.concat([pepper, password]) }],
  },
];

type Change = (secret: Buffer) => Buffer | undefined;

function urlSafe(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/');
}

function ofKey(...changes: readonly Change[]): Repair['variants'] {
  return ({ parsed, secrets }) => {
    const { signerKey } = secrets;
    if (parsed?.kind !== 'provider_scrypt' || signerKey === undefined) return [];
    const keys = changes.map((change) => change(Buffer.from(signerKey)));
    return keys.flatMap((key) =>
      key === undefined || key.length === 0 ? [] : [{ secrets: { ...secrets, signerKey: key } }],
    );
  };
}

function carriedKey({ parsed, secrets }: Subject): Variant[] {
  if (parsed?.kind !== 'provider_scrypt' || parsed.signerKey === undefined) return [];
  return [{ secrets: { ...secrets, signerKey: Buffer.from(parsed.signerKey, 'base64') } }];
}

function hasPepper(pepper: Uint8Array | undefined): pepper is Uint8Array {
  return pepper !== undefined && pepper.length > 0;
}

function isBcrypt(kind: HashKindName): boolean {
  return kind.startsWith('bcrypt');
}

/** The bcrypt hash inside, for a password that is combined here. */
function innerOf(parsed: ParsedHash | undefined): ParsedHash | undefined {
  if (parsed?.kind === 'bcrypt') return parsed;
  return parsed?.kind === 'bcrypt_peppered' ? parsed.inner : undefined;
}

function otherPeppers({ parsed, password, secrets: { pepper } }: Subject): Variant[] {
  const inner = innerOf(parsed);
  if (inner === undefined || !hasPepper(pepper)) return [];
  const text = Buffer.from(pepper).toString('utf8');
  const found = [
    ...[text.trim(), `${text}\n`, text.trim().replace(/^(["'])([^]*)\1$/, '$2')].map((each) =>
      Buffer.from(each),
    ),
    decodeHex(text),
    decodeBase64(text, 'any'),
    Buffer.from(Buffer.from(pepper).toString('hex')),
    Buffer.from(Buffer.from(pepper).toString('base64')),
  ];
  return found
    .filter((each) => each !== undefined)
    .map((each) => ({ parsed: inner, password: Buffer.concat([password, each]) }));
}

function otherPositions({ parsed, password, secrets: { pepper } }: Subject): Variant[] {
  const inner = innerOf(parsed);
  if (inner === undefined || !hasPepper(pepper)) return [];
  const macs = (['hex', 'base64'] as const).map((form) =>
    Buffer.from(createHmac('sha256', pepper).update(password).digest(form)),
  );
  return [Buffer.concat([pepper, password]), ...macs].map((each) => ({ parsed: inner, password: each }));
}
