/** One spelling for each email, in requests and in records, and none with hidden characters. */
import { describe, expect, it } from 'vitest';
import { printable } from '../../src/cli/output/format.ts';
import { isEmail, spellEmail } from '../../src/domain/email.ts';
import { recordForm } from '../../src/schema/validate.ts';
import { inBody } from '../../src/schema/validate.ts';

/** In requests and in records: the stored spelling, or undefined when it is refused. */
function spellings(email: string): (string | undefined)[] {
  const record = { recipeId: 'emailpassword', email, passwordHash: 'x' };
  const isBad = recordForm('bulkPasswordMethod')(record) !== undefined;
  let request: string | undefined;
  try {
    request = inBody.signUp.parse({ email, password: 'x' }).email;
  } catch {
    request = undefined;
  }
  return [request, isBad ? undefined : record.email];
}

const both = (email: string | undefined) => [email, email];

describe('an email', () => {
  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['\ufeffada+tag@b.test', 'ada+tag@b.test'],
    ['JOSE\u0301@b.test', 'jos\u00e9@b.test'],
    ['Jos\u00e9@b.test', 'jos\u00e9@b.test'],
    ['\u00c5SA@b.test', '\u00e5sa@b.test'],
    ['A\u030aSA@b.test', '\u00e5sa@b.test'],
    ['STRA\u1e9eE@b.test', 'stra\u00dfe@b.test'],
    ['\u7528\u6237@\u4f8b\u5b50.test', '\u7528\u6237@\u4f8b\u5b50.test'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(spellings(typed)).toEqual(both(stored));
    expect(spellEmail(stored)).toBe(stored);
  });

  it('may be one that a driver makes up, of ids that hold an @', () => {
    const madeUp = 'ada@corp.test.okta@stfakeemail.supertokens.com';
    expect(spellings(madeUp)).toEqual(both(madeUp));
    expect(isEmail(madeUp)).toBe(true);
    for (const other of [
      'ada@corp@b.test',
      'ada @stfakeemail.supertokens.com',
      '@xstfakeemail.supertokens.com',
    ])
      expect(spellings(other)).toEqual(both(undefined));
  });

  it.each([
    ['KELVIN SIGN', '\u212aate@b.test'],
    ['ANGSTROM SIGN', '\u212bsa@b.test'],
    ['OHM SIGN', '\u2126@b.test'],
    ['ZERO WIDTH SPACE', 'a\u200bda@b.test'],
    ['ZERO WIDTH JOINER', 'a\u200dda@b.test'],
    ['RIGHT-TO-LEFT OVERRIDE', 'a\u202eda@b.test'],
    ['RIGHT-TO-LEFT ISOLATE', 'a\u2067da@b.test'],
    ['SOFT HYPHEN', 'a\u00adda@b.test'],
    ['WORD JOINER', 'ada@b\u2060.test'],
    ['HANGUL FILLER', 'ada\u3164@b.test'],
    ['a variation selector', 'ada\ufe0f@b.test'],
    ['a tag character', 'ada\u{e0041}@b.test'],
    ['NEXT LINE', 'a\u0085da@b.test'],
  ])('with %s is refused', (_name, typed) => {
    expect(spellings(typed)).toEqual(both(undefined));
    expect(isEmail(typed)).toBe(false);
  });
});

it('what the command prints cannot turn a line round', () => {
  expect(printable('a\u202eb\u2066c\u061cd\u200fe')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde');
});
