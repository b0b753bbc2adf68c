import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { examineTotp } from '../../src/hashes/doctor/totp/examine-totp.ts';
import { documentedEncoding } from '../../src/hashes/doctor/totp/sources.ts';
import { base32Of, codeAt } from '../../src/hashes/parts/one-time-code.ts';

/** The same bytes in every run. */
function randomBytes(seed: string, length: number): Buffer {
  return createHash('sha512').update(seed).digest().subarray(0, length);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const asLetters = (bytes: Buffer) => [...bytes].map((byte) => letters.charAt(byte % letters.length)).join('');

/** Each source's encoding of a key's bytes: as its own format documents, and other encodings found in its exports. */
const encodings = {
  base32: (seed: string) => {
    const bytes = randomBytes(seed, 20);
    return { text: base32Of(bytes), bytes };
  },
  text: (seed: string) => {
    const text = asLetters(randomBytes(seed, 32));
    return { text, bytes: Buffer.from(text) };
  },
  hex: (seed: string) => {
    const bytes = randomBytes(seed, 20);
    return { text: bytes.toString('hex'), bytes };
  },
  base64: (seed: string) => {
    const bytes = randomBytes(seed, 20);
    return { text: bytes.toString('base64'), bytes };
  },
  latin1: (seed: string) => {
    const bytes = randomBytes(seed, 20);
    return { text: bytes.toString('latin1'), bytes };
  },
} as const;
type Encoding = keyof typeof encodings;
const encodingNames = Object.keys(encodings) as Encoding[];

const sources = ['auth0', 'better-auth', 'keycloak', 'kratos', 'clerk', 'django', 'fusionauth', 'laravel'];
/** In addition to the usual one, shapes that issuers document: (algorithm, digits, period). */
const shapes = [
  ...Array.from({ length: 6 }, () => ['SHA1', 6, 30] as const),
  ['SHA1', 6, 60],
  ['SHA256', 6, 30],
  ['SHA512', 8, 30],
  ['SHA1', 8, 30],
] as const;

interface Case {
  readonly source: string;
  readonly encoding: Encoding;
  readonly n: number;
}

/** Whether the doctor names the reading with this number of codes of the device. */
function isNamed({ source, encoding, n }: Case, count: number): boolean {
  const seed = `${source} ${encoding} ${n}`;
  const { text, bytes } = encodings[encoding](seed);
  const [algorithm, digits, period] = shapes[n % shapes.length] ?? shapes[0];
  const drift = (n % 7) - 3;
  const codes = Array.from({ length: count }, (_, place) => {
    const at = 1_700_000_000_000 + n * 1_234_567 + place * 600_000;
    const step = Math.floor(at / 1000 / period) + drift;
    return { at, code: codeAt(bytes, step, { algorithm, digits }) };
  });
  const documented = documentedEncoding(source);
  const { reading } = examineTotp({ secret: text, codes, stated: {}, documented });
  return (
    reading?.encoding === encoding &&
    reading.algorithm === algorithm &&
    reading.digits === digits &&
    reading.period === period &&
    reading.drifts.every((each) => each === drift)
  );
}

const cases = sources.flatMap((source) =>
  encodingNames.flatMap((encoding) => Array.from({ length: 20 }, (_, n): Case => ({ source, encoding, n }))),
);

describe('the TOTP doctor, over secrets of eight sources in five encodings', () => {
  it('names the right reading by one code in 99 of 100 cases', () => {
    const right = cases.filter((each) => isNamed(each, 1)).length;
    expect(cases.length).toBe(800);
    expect(right / cases.length).toBeGreaterThanOrEqual(0.99);
  });

  it('and by two codes always', () => {
    expect(cases.filter((each) => !isNamed(each, 2))).toEqual([]);
  });
});

describe('what the doctor says of a TOTP secret', () => {
  const key = Buffer.from('12345678901234567890');
  const at = 1_700_000_000_000;
  const code = (shape = {}, period = 30, drift = 0) => ({
    at,
    code: codeAt(key, Math.floor(at / 1000 / period) + drift, shape),
  });

  it('is nothing where the record is right already', () => {
    const finding = examineTotp({ secret: base32Of(key), codes: [code()], stated: {} });
    expect(finding).toMatchObject({ code: 'RIGHT', advice: ['There is nothing to set.'] });
  });

  it.each([
    [
      'its encoding',
      key.toString('hex'),
      code(),
      ['Set "secretEncoding":"hex" next to secretKey in totpDevices: the import decodes it.'],
    ],
    [
      'algorithm, digits and period',
      base32Of(key),
      code({ algorithm: 'SHA256', digits: 8 }, 60),
      [
        'Set "algorithm":"SHA256" in totpDevices.',
        'Set "digits":8 in totpDevices.',
        'Set "period":60 in totpDevices.',
      ],
    ],
    [
      'a clock that is off',
      base32Of(key),
      code({}, 30, -4),
      ['Set "skew":4 in totpDevices, or have the clock that is off put right.'],
    ],
    [
      'Base32 of what was Base32 already',
      base32Of(Buffer.from(base32Of(key))),
      code(),
      ['Take the secret out of its outer Base32, and set "secretEncoding":"base32" in totpDevices.'],
    ],
  ])('is %s', (_what, secret, known, advice) => {
    const finding = examineTotp({ secret, codes: [known], stated: {} });
    expect(finding).toMatchObject({ code: 'READ_OTHERWISE', advice });
    expect(JSON.stringify(finding)).not.toContain(secret);
  });

  it('is right where the record says the same as the device', () => {
    const stated = { encoding: 'hex', algorithm: 'SHA512', digits: 8, period: 60, skew: 1 } as const;
    const known = code({ algorithm: 'SHA512', digits: 8 }, 60);
    expect(examineTotp({ secret: key.toString('hex'), codes: [known], stated }).code).toBe('RIGHT');
  });

  it('is no reading where the code is another’s, and the zone where the time is another’s', () => {
    const other = { at, code: codeAt(Buffer.from('another key, not this one'), Math.floor(at / 30_000)) };
    expect(examineTotp({ secret: base32Of(key), codes: [other], stated: {} })).toMatchObject({
      code: 'NO_READING',
    });
    const inBerlin = { ...code(), at: at + 2 * 3_600_000 };
    const { advice } = examineTotp({ secret: base32Of(key), codes: [inBerlin], stated: {} });
    expect(advice[0]).toBe('It is right 120 minutes earlier: give the time in UTC.');
  });
});
