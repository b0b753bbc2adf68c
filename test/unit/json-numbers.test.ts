/** Numbers of JSON that JavaScript would change: they are refused. */
import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { parseJson, placeOfAltered } from '../../src/domain/json-text.ts';
import { parseBody } from '../helpers/forms.ts';

const altered = (text: string) => parseJson(text).altered;

describe('a number', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '1152921504606846976',
    '1e400',
    '-1e400',
    '1234567890123456789e2',
    '90071992547409930e-1',
    '9007199254740993.0',
  ])('that would be altered is found: %s', (text) => {
    for (const each of [text, `[${text}]`, `{"a":{"b":[1,${text}]}}`, ` ${text} `])
      expect(altered(each)).toBe(true);
  });

  it.each([
    '0',
    '-0',
    '1',
    '9007199254740991',
    '-9007199254740991',
    '9007199254740992',
    '1700000000000000000',
    '1e21',
    '1E3',
    '1.5',
    '0.1',
    '3.141592653589793238462643',
    '123456789.123456789123',
    '1e-400',
    '0e999999',
  ])('that comes back as it was, or is a fraction, is not: %s', (text) => {
    expect(altered(`{"a":${text}}`)).toBe(false);
    const { value } = parseJson(text);
    if (!text.includes('.')) expect(JSON.parse(JSON.stringify(value))).toBe(value === 0 ? 0 : value);
  });

  it('in a text is not a number, whatever is around it', () => {
    expect(altered(String.raw`{"a":"9007199254740993","b\"":"1e400,","9007199254740993":1}`)).toBe(false);
  });

  it('is found in ten thousand texts as by an exact comparison', () => {
    for (let n = 0; n < 10_000; n++) {
      const digits = Array.from({ length: 1 + (n % 20) }, () => randomInt(10)).join('');
      const text = digits.replace(/^0+(?=\d)/, '');
      expect([text, altered(text)]).toEqual([
        text,
        BigInt(text) !== BigInt(String(Number(text)).includes('e') ? Number(text) : String(Number(text))),
      ]);
    }
  });
});

describe('the place of one', () => {
  it('is named, at any depth', () => {
    expect(placeOfAltered({ a: [1, { b: 2 ** 60 }] })).toEqual(['a', 1, 'b']);
    expect(placeOfAltered({ a: Infinity })).toEqual(['a']);
    expect(placeOfAltered({ a: 1, b: [0.5, '9007199254740993'] })).toBeUndefined();
    let deep: unknown = 2 ** 60;
    for (let n = 0; n < 100_000; n++) deep = [deep];
    expect(placeOfAltered([1, deep])).toHaveLength(100_001);
  });
});

describe('a body', () => {
  const parse = (text: string) => {
    const { value, ...about } = parseJson(text);
    return parseBody('putMetadata', value, about);
  };

  it('with one is refused, by the name of its field', () => {
    expect(() => parse('{"userId":"u","metadataUpdate":{"huge":1e400}}')).toThrow(Refusal);
    expect(() => parse('{"userId":"u","metadataUpdate":{"a":{"id":9007199254740993}}}')).toThrow(
      /^Field name 'metadataUpdate\.a\.id' is invalid in JSON input: must be a number that comes back as it is/,
    );
  });

  it('with one in a field that is not read is taken', () => {
    expect(parse('{"userId":"u","metadataUpdate":{"a":0},"extra":9007199254740993}')).toEqual({
      userId: 'u',
      metadataUpdate: { a: 0 },
    });
  });
});
