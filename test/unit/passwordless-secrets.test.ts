import { describe, expect, it, test } from 'vitest';
import { spellPhone } from '../../src/operations/users/phone.ts';
import {
  decode,
  decodeUrl,
  deviceHashOf,
  digest,
  linkCodeOf,
  newInputCode,
  preAuthSessionIdOf,
} from '../../src/features/passwordless/secrets.ts';

describe('what is derived of a device', () => {
  const bytes = (from: number) => Buffer.from(Array.from({ length: 32 }, (_, i) => from + i));

  it('is as other implementations of the interface compute it', () => {
    const device = decode('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=');
    expect(device).toEqual(bytes(0));
    const session = 'Yw3NKWbEM2aRElRIu7JbT_QSpJxzLbLIq8G4WBvXEN0';
    expect(preAuthSessionIdOf(digest(bytes(0)))).toBe(session);
    expect(deviceHashOf(session)).toBe(digest(bytes(0)));
    const link = linkCodeOf(bytes(0), bytes(32), '123456');
    expect(link.toString('base64url')).toBe('GG0Ss4OqlRCeHdv7UHj5zeJmudmi8pXGJTZlfjEbW4Q');
    expect(digest(link)).toBe(
      Buffer.from('nDpoavHqv8vldu3TKssOJvqFyOknHBs1tz-eXK0LVps', 'base64url').toString('hex'),
    );
  });

  it('has six digits without a given code', () => {
    for (let n = 0; n < 1000; n++) expect(newInputCode()).toMatch(/^\d{6}$/);
  });
});

describe('base64', () => {
  test.each(['', 'AA', 'AA==', 'AAA', 'AAA=', 'A+/A'])('%j is', (text) => {
    expect(decode(text)).toBeInstanceOf(Buffer);
  });
  test.each(['A', 'AA=', 'A-_A', 'AA A', '=', 'AAAA=', 'äAAA'])('%j is invalid', (text) => {
    expect(decode(text)).toBeUndefined();
  });
  test('has another alphabet in URLs', () => {
    expect(decodeUrl('A-_A')).toEqual(decode('A+/A'));
    expect(decodeUrl('A+/A')).toBeUndefined();
  });
});

test.each([
  ['+44 (0)20 7946 0018', '+442079460018'],
  [' +1-650-253-0000 ext. 3', '+16502530000'],
  ['+442079460018', '+442079460018'],
  [' 020 7946 0018 ', '020 7946 0018'],
  ['0044 20 7946 0018', '0044 20 7946 0018'],
  ['anything', 'anything'],
])('the phone number %j is kept as %j', (given, kept) => {
  expect(spellPhone(given)).toBe(kept);
});
