import { describe, expect, it } from 'vitest';
import { base32Of, bytesOfBase32, codeAt, isCode } from '../../src/hashes/parts/one-time-code.ts';
import { standingOf } from '../../src/features/totp/limit.ts';
import { nameDevices } from '../../src/features/totp/names.ts';

/** RFC 6238, appendix B, with the last six of its eight digits. */
const ofRfc = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const secret = Buffer.from('12345678901234567890');

describe('a code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('at second %d is that of RFC 6238', (second, code) => {
    expect(codeAt(secret, Math.floor(second / 30))).toBe(code);
  });

  it('is right as many periods before and after as the skew says', () => {
    const at = (now: number) => isCode(secret, '287082', { period: 30, skew: 1, now });
    expect([0, 29_999, 30_000, 59_999, 60_000, 89_999, 90_000].map(at)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(isCode(secret, '287082', { period: 30, skew: 0, now: 60_000 })).toBe(false);
    for (const code of ['', '28708', '2870820', '28708é'])
      expect(isCode(secret, code, { period: 30, skew: 1, now: 59_000 })).toBe(false);
  });
});

describe('Base32', () => {
  it('is read as people and exports write it', () => {
    expect(base32Of(secret)).toBe(ofRfc);
    for (const text of [ofRfc, ofRfc.toLowerCase(), ofRfc.replaceAll(/(....)/g, '$1 '), `${ofRfc}====`])
      expect(bytesOfBase32(text)).toEqual(secret);
    for (const bytes of [Buffer.from([255]), Buffer.from([1, 2, 3]), Buffer.alloc(7, 170)])
      expect(bytesOfBase32(base32Of(bytes))).toEqual(bytes);
  });

  it.each(['', 'A', '1', 'ABC!', 'äöü', 'AB=C'])('%j is invalid', (text) => {
    expect(bytesOfBase32(text)).toBeUndefined();
  });
});

describe('the limit of attempts', () => {
  const limits = { maxAttempts: 3, cooldownMs: 100 };
  const wrong = (...times: number[]) => times.map((at, seq) => ({ seq, at, isRight: false }));

  it.each([
    ['nothing', [], 0, { failed: 0 }],
    ['wrong ones', wrong(20, 10), 30, { failed: 2 }],
    [
      'those before a right one not',
      [...wrong(20), { seq: 1, at: 15, isRight: true }, ...wrong(10)],
      30,
      { failed: 1 },
    ],
    ['those too old not', wrong(200, 101, 100), 210, { failed: 2 }],
    ['as many as allowed', wrong(30, 20, 10), 50, { failed: 3, retryAfterMs: 80 }],
    ['until the cooldown is over', wrong(30, 20, 10), 129, { failed: 3, retryAfterMs: 1 }],
    ['and not after it', wrong(30, 20, 10), 130, { failed: 0 }],
  ])('counts %s', (_what, tried, now, standing) => {
    expect(standingOf(tried, limits, now)).toEqual(standing);
  });
});

it('names devices of an import next to others, each with a name of its own', () => {
  const secretKey = 'S';
  const stated = [
    { secretKey, deviceName: 'phone' },
    { secretKey },
    { secretKey, deviceName: 'TOTP Device 0' },
  ];
  const named = nameDevices([...stated, { secretKey, deviceName: 'phone' }], ['TOTP Device 1']);
  expect(named.map(({ name }) => name)).toEqual(['phone', 'TOTP Device 2', 'TOTP Device 0', 'TOTP Device 3']);
});
