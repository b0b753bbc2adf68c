import { describe, expect, it } from 'vitest';
import {
  flagOf,
  listOf,
  metadataOf,
  objectOf,
  objectsOf,
  phoneOf,
  textOf,
  timeOf,
} from '../../../src/exports/providers/parts/fields.ts';
import { thirdPartyIdOf } from '../../../src/exports/providers/parts/third-party-ids.ts';

describe('a time', () => {
  const instant = Date.UTC(2024, 0, 15, 10, 30, 0, 123);

  it.each([
    ['2024-01-15T10:30:00.123Z'],
    ['2024-01-15T10:30:00.123456+00:00'],
    ['2024-01-15 10:30:00.123456+00'],
    ['2024-01-15 10:30:00.123456'],
    ['2024-01-15 12:30:00.123+02'],
    ['2024-01-15 05:00:00.1239-0530'],
    ['2024-01-15 10:30:00.1230000 +00:00'],
    ['2024-01-15 10:30:00.123 UTC'],
    [String(instant)],
    [instant],
    [instant + 0.4],
    [instant / 1000],
    [String(instant / 1000)],
    [instant * 1000 + 7],
    [String(instant * 1000)],
  ])('is read from %j', (value) => {
    expect(timeOf(value)).toBe(instant);
  });

  it('is read without seconds and without a time of day', () => {
    expect(timeOf('2024-01-15 10:30')).toBe(Date.UTC(2024, 0, 15, 10, 30));
    expect(timeOf('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
  });

  it.each([
    ['0000-00-00 00:00:00'],
    ['0001-01-01T00:00:00Z'],
    ['2023-02-29'],
    ['2024-13-01'],
    ['2024-01-15 25:00:00'],
    ['yesterday'],
    ['infinity'],
    [''],
    ['\\N'],
    [null],
    [-1],
    [Number.NaN],
    [1e300],
    [{}],
  ])('does not exist in %j', (value) => {
    expect(timeOf(value)).toBeUndefined();
  });
});

describe('a field', () => {
  it('of text is trimmed, and absent however dumps say so', () => {
    expect([' a ', 7, '0'].map(textOf)).toEqual(['a', '7', '0']);
    for (const value of ['', ' ', '\\N', 'NULL', null, undefined, true, {}, 1.5, 2 ** 60])
      expect(textOf(value)).toBeUndefined();
    expect(textOf('Null')).toBe('Null');
  });

  it('of a flag is read from words, numbers and bits', () => {
    for (const value of [true, 1, 'true', 'TRUE', 't', '1', 'Yes', "b'1'", '\u0001'])
      expect(flagOf(value)).toBe(true);
    for (const value of [false, 0, 'false', 'F', '0', 'no', '\u0000']) expect(flagOf(value)).toBe(false);
    for (const value of [null, '', 2, 'maybe', [], {}]) expect(flagOf(value)).toBeUndefined();
  });

  it('of JSON is read from JSON and from its text', () => {
    expect([objectOf('{"a":1}'), objectOf({ a: 1 })]).toEqual([{ a: 1 }, { a: 1 }]);
    for (const value of ['[1]', '{"a"', 'x', 1, null, [1]]) expect(objectOf(value)).toBeUndefined();
    expect([listOf('[1]'), listOf([1]), listOf('{}'), listOf(null)]).toEqual([[1], [1], [], []]);
    expect(objectsOf('[{"a":1},2,"{\\"b\\":1}"]')).toEqual([{ a: 1 }, { b: 1 }]);
  });

  it('of a phone number is E.164 or nothing', () => {
    expect(phoneOf('+1 (555) 555-0100')).toBe('+15555550100');
    for (const value of ['15555550100', '+0155555501', '+1', '+12345678901234567', 'x', null])
      expect(phoneOf(value)).toBeUndefined();
  });

  it('of metadata is left out when it says nothing or would reach into a prototype', () => {
    const parsed: unknown = JSON.parse(
      '{"__proto__":{"x":1},"constructor":1,"a":0,"b":"","c":[],"d":{},"e":null,"f":false}',
    );
    expect(metadataOf(parsed as Record<string, unknown>)).toEqual({ a: 0, f: false });
    expect(metadataOf({ a: undefined })).toBeUndefined();
  });
});

describe('an identity provider', () => {
  it('has one name whatever the source calls it', () => {
    for (const name of ['google', 'google.com', 'google-oauth2', 'oauth_google', 'Google', ' GOOGLE '])
      expect(thirdPartyIdOf(name)).toBe('google');
    for (const name of ['apple.com', 'oauth_apple', 'SignInWithApple'])
      expect(thirdPartyIdOf(name)).toBe('apple');
    expect([thirdPartyIdOf('windowslive'), thirdPartyIdOf('waad')]).toEqual([
      'microsoft',
      'active-directory',
    ]);
    expect(thirdPartyIdOf('gc.apple.com')).not.toBe('apple');
  });

  it('that is not known keeps its custom name', () => {
    expect([thirdPartyIdOf('Acme-SSO'), thirdPartyIdOf('toString')]).toEqual(['Acme-SSO', 'toString']);
  });
});
