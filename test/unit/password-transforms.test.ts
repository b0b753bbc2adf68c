/** Sources' transforms of passwords before hashing: hashes that PHP and Python made. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashClass, isBelowPolicy, isCertain } from '../../src/hashes/assess.ts';
import { acceptHash } from '../../src/hashes/accept.ts';
import { parseHash, parseStoredHash, storedForm, storedKind } from '../../src/hashes/recognise.ts';
import { hashKindNamed, type ParsedHash } from '../../src/hashes/registry.ts';
import { tallyHashes } from '../../src/hashes/tally.ts';
import { stepNames } from '../../src/hashes/transforms/steps.ts';
import {
  formsText,
  hasSecret,
  parseForms,
  passwordsBy,
  shownForms,
  statedBeside,
  statedIn,
  stating,
} from '../../src/hashes/transforms/transforms.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';
import { requireHash } from '../helpers/require-hash.ts';

interface Known {
  readonly as: string;
  readonly password: string;
  readonly hash: string;
  readonly algorithm?: string;
  /** Its origin. */
  readonly by: string;
}

const known = JSON.parse(
  readFileSync(new URL('../vectors/password-transforms.json', import.meta.url), 'utf8'),
) as readonly Known[];

const noSecrets = { signerKey: undefined };
const bcrypt = '$2b$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

function statedHash(as: string, hash: string): string {
  const stated = statedBeside(hash, as);
  if (typeof stated !== 'string') throw new Error(stated.message);
  return stated;
}

/** As it is read again after it was stored. */
function storedOf({ as, hash, algorithm }: Pick<Known, 'as' | 'hash' | 'algorithm'>): ParsedHash {
  const accepted = acceptHash(statedHash(as, hash), algorithm, { limits, ...noSecrets });
  if (!accepted.ok) throw new Error(accepted.message);
  const result = parseStoredHash(accepted.stored, limits);
  if (!result.ok) throw new Error(result.message);
  return result.parsed;
}

const verify = (parsed: ParsedHash, password: string): boolean =>
  verifyParsed(parsed, Buffer.from(password), noSecrets);

const forms = (text: string) => {
  const found = parseForms(text);
  if (found === undefined || 'message' in found) throw new Error(text);
  return found;
};

describe('a hash of a changed password', () => {
  it.each(known.map((each) => [`${each.as} (${each.by})`, each] as const))('%s', (_title, each) => {
    const stored = storedOf(each);
    expect(verify(stored, each.password)).toBe(true);
    expect(verify(stored, `${each.password}x`)).toBe(false);
    // Without the transforms it does not match: otherwise the test would prove nothing.
    const kind = each.algorithm === undefined ? undefined : hashKindNamed(each.algorithm);
    expect(verify(requireHash(each.hash, kind, limits), each.password)).toBe(false);
  });

  it('is right in each of several forms', () => {
    const [slashed, bare] = [
      '$wp$2y$04$jNhftt3kRUX81riv5jZXnu7G/E630Daja399yPsN7y4QtisEFVGh6',
      '$wp$2y$04$CjCCTWdcZVlU/KtulSoXGeQELV9tCXYq59zE1.tqsyoJvKXK9nV2C',
    ];
    const as = 'slashed,trimmed|trimmed';
    for (const hash of [slashed, bare]) {
      const stored = storedOf({ as, hash });
      expect(verify(stored, 'Nell\'s "old" \\ boat')).toBe(true);
      expect(verify(stored, '  Nell\'s "old" \\ boat\n')).toBe(true);
      expect(verify(stored, 'Nells old  boat')).toBe(false);
    }
  });

  it('computes each distinct form once, whether one of them is right or not', () => {
    const both = forms('slashed,trimmed|trimmed');
    expect(passwordsBy(both, Buffer.from('plain'))).toEqual([Buffer.from('plain')]);
    expect(passwordsBy(both, Buffer.from("it's ")).map(String)).toEqual(["it\\'s", "it's"]);
  });
});

describe('a stored hash that states it', () => {
  it('keeps its kind and its tag, and is stored the same again', () => {
    const digest = '5f4dcc3b5aa765d61d8327deb882cf99';
    const accepted = acceptHash(statedHash('slashed', digest), 'md5', { limits, ...noSecrets });
    expect(accepted).toMatchObject({ ok: true, kind: 'md5' });
    const stored = accepted.ok ? accepted.stored : '';
    expect(stored).toBe(`$password-as$slashed$$carryover$md5$${digest}`);
    expect(storedKind(stored)).toBe('md5');
    const again = acceptHash(stored, 'md5', { limits, ...noSecrets });
    expect(again.ok && again.stored).toBe(stored);
    expect(statedIn(stored)).toEqual({ forms: 'slashed', hash: `$carryover$md5$${digest}` });
  });

  it('is stored in one spelling, whatever was given', () => {
    const parsed = requireHash(stating(' slashed , prefix=a%62c| typed', bcrypt), undefined, limits);
    expect(storedForm(stating(' slashed , prefix=a%62c| typed', bcrypt), parsed)).toBe(
      `$password-as$slashed,prefix=abc|typed$${bcrypt}`,
    );
  });

  it('that was done nothing to is stored as it came', () => {
    expect(statedHash('typed', bcrypt)).toBe(bcrypt);
    expect(statedHash('typed|typed', bcrypt)).toBe(bcrypt);
  });

  it.each([
    ['$password-as$', 'is not known'],
    [stating('slashd', bcrypt), "'slashd' is not known; known are: typed, slashed, html"],
    [stating('slashed', stating('html', bcrypt)), 'it states twice'],
    [stating('slashed', ''), 'cannot be an empty string'],
    [stating('slashed', 'nonsense'), 'begins with none of'],
  ])('%s is refused', (hash, why) => {
    const result = parseHash(hash, undefined, limits);
    expect(result.ok ? '' : result.message).toContain(why);
  });

  it('is checked against the ceilings', () => {
    const dear = bcrypt.replace('$04$', '$30$');
    expect(parseHash(stating('slashed', dear), undefined, limits)).toMatchObject({ code: 'out-of-range' });
  });

  it('is counted apart, without the texts of prefix and suffix', () => {
    const secret = 'site-secret';
    const hash = statedHash(`prefix=${secret},sha1-hex`, bcrypt);
    const policy = { algorithm: 'BCRYPT', logRounds: 4, prefix: '2b' } as const;
    const { classes } = tallyHashes({ lines: `${hash}\n${bcrypt}`, limits, policy });
    expect(classes).toMatchObject([
      { cost: { logRounds: 4, passwordAs: 'prefix=…,sha1-hex' }, isBelowPolicy: true, users: 1 },
      { cost: { logRounds: 4 }, isBelowPolicy: false, users: 1 },
    ]);
    expect(JSON.stringify(hashClass(requireHash(hash, undefined, limits)))).not.toContain(secret);
  });
});

describe('an upgrade', () => {
  const policy = { algorithm: 'BCRYPT', logRounds: 4, prefix: '2b' } as const;
  const certain = (as: string, password: string): boolean =>
    isCertain(requireHash(statedHash(as, bcrypt), undefined, limits), Buffer.from(password), undefined);

  it('is worth it even where the hash is as the policy asks: the new one is of the password as typed', () => {
    expect(isBelowPolicy(requireHash(bcrypt, undefined, limits), policy)).toBe(false);
    expect(isBelowPolicy(requireHash(statedHash('slashed', bcrypt), undefined, limits), policy)).toBe(true);
  });

  it.each([
    ['slashed', "it's", true],
    ['html', 'a&b', true],
    ['prefix=x,sha1-hex', 'known', true],
    ['sha256-hex', 'x'.repeat(100), true],
    ['trimmed', 'known', true],
    ['trimmed', 'known ', false],
    ['lower-case', 'known', true],
    ['lower-case', 'Known', false],
    ['nfkc', 'ﬁne', false],
    ['latin1', 'Käse', true],
    ['latin1', '10 €', false],
    ['slashed,trimmed|trimmed', "it's", true],
    ['slashed', `${'x'.repeat(70)}'`, false],
  ])('%s of %j: certain is %j', (as, password, expected) => {
    expect(certain(as, password)).toBe(expected);
  });
});

describe('the names', () => {
  it.each([
    ['', 'is not known; known are: typed, slashed'],
    ['slashed,,html', 'is not known'],
    ['slashed=x', 'slashed must not have a text of its own'],
    ['prefix', 'prefix must have a text'],
    ['prefix=', 'prefix must have a text'],
    ['suffix=%', 'suffix must have a text'],
    [`prefix=${'x'.repeat(129)}`, 'must not have more than 128 characters'],
    ['latin1,slashed', 'slashed must come before latin1'],
    ['md5-raw,lower-case', 'lower-case must come before md5-raw'],
    ['a|b|c|d', 'must not have more than 3 forms'],
    [Array.from({ length: 9 }, () => 'slashed').join(','), 'must not have more than 8 steps'],
    ['x'.repeat(1025), 'must not have more than 1024 characters'],
  ])('%j is refused, and the known ones are listed where that helps', (text, why) => {
    const found = parseForms(text);
    expect(found !== undefined && 'message' in found ? found.message : '').toContain(why);
  });

  it('of a misspelt step with a text do not repeat the text', () => {
    for (const text of ['prefx=site-secret', 'site-secret is the prefix of us all', 'prefix=site-secret%']) {
      const found = parseForms(text);
      expect(found).toHaveProperty('message');
      expect(JSON.stringify(found)).not.toContain('secret');
    }
  });

  it('read again what they wrote', () => {
    for (const name of stepNames) {
      const text = name === 'prefix' || name === 'suffix' ? `${name}=a%2Cb%7C%24%25%20` : name;
      expect(formsText(forms(text))).toBe(text);
    }
    expect([hasSecret(forms('slashed')), hasSecret(forms('typed|suffix=x'))]).toEqual([false, true]);
    expect(shownForms(forms('typed|suffix=x'))).toBe('typed|suffix=…');
  });
});
