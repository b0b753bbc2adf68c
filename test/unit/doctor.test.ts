/** The doctor finds the fault of a hash, tested with hashes of the vectors that were broken on purpose. */
import { createCipheriv, createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashBcrypt } from '../../src/hashes/verify/bcrypt.ts';
import { examine } from '../../src/hashes/verify/examine.ts';
import { workOf } from '../../src/hashes/assess.ts';
import { digestString, hmacString, pbkdf2String } from '../../src/hashes/fields.ts';
import { conclude } from '../../src/hashes/doctor/conclude.ts';
import type { Examination, ExamineInput } from '../../src/hashes/doctor/examination.ts';
import { planOf } from '../../src/hashes/doctor/plan.ts';
import { repairs } from '../../src/hashes/doctor/repairs.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';
import { mutated, randomNumbers } from '../helpers/mutations.ts';
import { signPassword } from '../helpers/scrypt-variant.ts';
import { readVectors, scryptVariantString, type Vector } from '../helpers/vectors.ts';

const vectors = readVectors();
const budgetMs = 3000;

type Question = Partial<ExamineInput> & { readonly hash: string };

function ask(question: Question): Examination {
  return examine({ limits, budgetMs, ...question });
}

function vector(id: string): Vector & { readonly password: string } {
  const found = vectors.find((each) => each.id === id);
  if (found?.password === undefined) throw new Error(`vector ${id} has no password`);
  return { ...found, password: found.password };
}

/** A cheap hash of each family with its password. */
const bcrypt = vector('003');
const argon2 = vector('104');
const pbkdf2 = vector('174');
const djangoPbkdf2 = vector('180');
const werkzeug = vector('292');
const ssha = vector('235');
const betterAuth = vector('302');
const wordpress = vector('268');
const djangoBcrypt = vector('086');
const firebase = vector('142');
const firebaseHash = scryptVariantString(firebase);
const firebaseSalt = firebaseHash.split('$')[3] ?? '';
const firebaseKey = Buffer.from(firebase.signerKey ?? '', 'base64');
const variant = { hashingAlgorithm: 'provider_scrypt', password: firebase.password } as const;
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

const pepper = Buffer.from('pepper of mine');
/** The cheapest bcrypt of these bytes. */
const bcryptOf = (password: string | Buffer): string => hashBcrypt(Buffer.from(password), 4);
const digestOf = (name: string, ...parts: readonly (string | Buffer)[]): Buffer =>
  createHash(name)
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();

/** By repair: hashes that are right after it. */
const broken: Readonly<Record<string, readonly Question[]>> = {
  'white-space': [
    { hash: `${bcrypt.hash}\n`, password: bcrypt.password },
    { hash: ` ${ssha.hash}\r\n`, password: ssha.password },
    { hash: ` ${firebaseHash}`, ...variant, signerKey: firebaseKey },
  ],
  quotes: [
    { hash: `"${argon2.hash}"`, password: argon2.password },
    { hash: `'${bcrypt.hash}`, password: bcrypt.password },
  ],
  'csv-doubling': [{ hash: `"""${bcrypt.hash}"""`, password: bcrypt.password }],
  escapes: [
    { hash: bcrypt.hash.replaceAll('$', '\\$'), password: bcrypt.password },
    { hash: bcrypt.hash.replaceAll('$', '$$$$'), password: bcrypt.password },
    { hash: encodeURIComponent(argon2.hash), password: argon2.password },
  ],
  prefix: [
    ...['{bcrypt}', 'bcrypt$', 'bcrypt'].map((prefix) => ({
      hash: `${prefix}${bcrypt.hash}`,
      password: bcrypt.password,
    })),
    { hash: `argon2${argon2.hash}`, password: argon2.password },
    { hash: `{argon2@SpringSecurity_v5_8}${argon2.hash}`, password: argon2.password },
  ],
  'missing-dollar': [{ hash: bcrypt.hash.slice(1), password: bcrypt.password }],
  'hashing-algorithm': [
    { hash: betterAuth.hash, password: betterAuth.password },
    { hash: firebaseHash, password: firebase.password, signerKey: firebaseKey },
    { hash: digestOf('sha256', 'x').toString('hex'), password: 'x', hashingAlgorithm: 'md5' },
  ],
  'signer-key-carried': [
    { ...variant, ...carrying('147'), signerKey: Buffer.alloc(64, 1) },
    { ...variant, ...carrying('148') },
  ],
  'signer-key-base64-twice': [
    { hash: firebaseHash, ...variant, signerKey: Buffer.from(base64(firebaseKey)) },
    { hash: firebaseHash, ...variant, signerKey: Buffer.from(firebaseKey.toString('base64url')) },
  ],
  'signer-key-hex': [
    { hash: firebaseHash, ...variant, signerKey: Buffer.from(firebaseKey.toString('hex')) },
    { hash: firebaseHash, ...variant, signerKey: Buffer.from(firebaseKey.toString('hex'), 'base64') },
  ],
  'pepper-left-off': [{ hash: bcryptOf(`known${pepper.toString()}`), password: 'known', pepper }],
  'pepper-left-on': [
    { hash: bcryptOf('known'), password: 'known', hashingAlgorithm: 'bcrypt_peppered', pepper },
  ],
  'pepper-spelling': ['pepper of mine\n', base64(pepper), pepper.toString('hex')].map((right, at) => ({
    hash: bcryptOf(`known${right}`),
    password: 'known',
    hashingAlgorithm: at === 0 ? 'bcrypt_peppered' : 'bcrypt',
    pepper,
  })),
  'pepper-position': [
    {
      hash: bcryptOf(`${pepper.toString()}known`),
      password: 'known',
      hashingAlgorithm: 'bcrypt_peppered',
      pepper,
    },
    { hash: bcryptOf(createHmac('sha256', pepper).update('known').digest('hex')), password: 'known', pepper },
  ],
  'pepper-other-kind': [
    {
      hash: digestString({ digest: 'sha1', hash: digestOf('sha1', 'known', pepper) }),
      password: 'known',
      pepper,
    },
  ],
  'bcrypt-version': [
    { hash: '$2a$05$6bNw2HLQYeqHYyBfLMsv/OiwqTymGIGzFsA4hOTWebfehXHNprcAS', password: 'ё' },
    { hash: bcryptOf('Käse').replace('$2b$', '$2x$'), password: 'Käse' },
  ],
  'wordpress-prefix': [{ hash: wordpress.hash.slice('$wp'.length), password: wordpress.password }],
  'bcrypt-sha256-prefix': [
    { hash: djangoBcrypt.hash.slice('bcrypt_sha256$'.length), password: djangoBcrypt.password },
  ],
  'url-safe-base64': [urlSafePbkdf2()],
  'base64-padding': [
    { hash: padded(pbkdf2.hash), password: pbkdf2.password },
    { hash: djangoPbkdf2.hash.replace(/=+$/, ''), password: djangoPbkdf2.password },
  ],
  'passlib-base64': [{ hash: vector('177').hash.replaceAll('.', '+'), password: vector('177').password }],
  'hex-for-base64': [
    {
      hash: djangoPbkdf2.hash.replace(/[^$]+$/, (key) => Buffer.from(key, 'base64').toString('hex')),
      password: djangoPbkdf2.password,
    },
    {
      hash: argon2.hash.replace(/[^$]+$/, (key) => Buffer.from(key, 'base64').toString('hex')),
      password: argon2.password,
    },
  ],
  'base64-for-hex': [
    {
      hash: werkzeug.hash.replace(/[^$]+$/, (key) => Buffer.from(key, 'hex').toString('base64')),
      password: werkzeug.password,
    },
  ],
  'hex-case': [
    { hash: betterAuth.hash.toUpperCase(), password: betterAuth.password, hashingAlgorithm: 'better_auth' },
  ],
  'scrypt-rounds-and-memory': [
    { hash: firebaseHash.replace('$m=14$r=8$', '$m=8$r=14$'), ...variant, signerKey: firebaseKey },
    { hash: firebaseHash.replace('$m=14$r=8$', '$m=12$r=4$'), ...variant, signerKey: firebaseKey },
  ],
  'salt-separator': [{ hash: firebaseHash.replace('$s=Bw==', '$s='), ...variant, signerKey: firebaseKey }],
  'scrypt-parameters': [
    {
      hash: vector('162').hash.replace(/ln=\d+,r=\d+,p=\d+/, swappedCosts),
      password: vector('162').password,
    },
  ],
  digest: [{ hash: pbkdf2Of({ digest: 'sha512' }).replace('sha512', 'sha256'), password: 'known' }],
  iterations: [
    { hash: pbkdf2Of({ iterations: 4096 }).replace('i=4096', 'i=12'), password: 'known' },
    { hash: pbkdf2Of({ iterations: 1000 }).replace('i=1000', 'i=1024'), password: 'known' },
    {
      hash: digestString({ digest: 'sha256', hash: digestOf('sha256', digestOf('sha256', 'known')) }),
      password: 'known',
    },
  ],
  'argon2-parameters': [
    { hash: vector('098').hash.replace('$v=19', '$v=16'), password: vector('098').password },
    { hash: vector('098').hash.replace('$argon2id$', '$argon2i$'), password: vector('098').password },
  ],
  'salt-encoding': [
    {
      hash: pbkdf2Of({ salt: Buffer.from(base64('some salt')) }).replace(
        base64(base64('some salt')).replace(/=+$/, ''),
        base64('some salt').replace(/=+$/, ''),
      ),
      password: 'known',
    },
    {
      hash: digestString({
        digest: 'md5',
        salt: Buffer.from('00ff00aa', 'hex'),
        position: 'prefix',
        hash: digestOf('md5', '00ff00aa', 'known'),
      }),
      password: 'known',
    },
    {
      hash: hmacString({
        digest: 'sha256',
        key: Buffer.from('c0ffee'),
        hash: createHmac('sha256', Buffer.from('c0ffee', 'hex')).update('known').digest(),
      }),
      password: 'known',
    },
    { hash: saltAsText(firebaseHash), ...variant, signerKey: firebaseKey },
  ],
  'salt-order': [
    {
      hash: digestString({
        digest: 'sha1',
        salt: Buffer.from('salt'),
        position: 'prefix',
        hash: digestOf('sha1', 'known', 'salt'),
      }),
      password: 'known',
    },
    {
      hash: digestString({
        digest: 'sha512',
        salt: Buffer.from('salt'),
        position: 'suffix',
        hash: digestOf('sha512', 'salt', 'known', 'salt'),
      }),
      password: 'known',
    },
    {
      hash: `{SSHA}${base64(Buffer.concat([digestOf('sha1', 'salt', 'known'), Buffer.from('salt')]))}`,
      password: 'known',
    },
  ],
  'hmac-key': [
    {
      hash: hmacString({
        digest: 'sha1',
        key: Buffer.from('salt'),
        hash: createHmac('sha1', 'known').update('salt').digest(),
      }),
      password: 'known',
    },
  ],
  hmac: [
    {
      hash: digestString({
        digest: 'md5',
        salt: Buffer.from('salt'),
        position: 'prefix',
        hash: createHmac('md5', 'salt').update('known').digest(),
      }),
      password: 'known',
    },
  ],
  'password-white-space': [
    { hash: bcryptOf('known'), password: 'known \n' },
    { hash: bcryptOf('known\n'), password: 'known' },
  ],
  'password-escaped': [
    { hash: bcryptOf(String.raw`Nell\'s boat`), password: "Nell's boat" },
    { hash: bcryptOf('a &amp; b'), password: 'a & b' },
    { hash: bcryptOf('a&#039;b'), password: "a'b" },
    // Stated, but not applied.
    { hash: `$password-as$slashed$${bcryptOf("it's")}`, password: "it's" },
  ],
  'password-unicode-form': [
    { hash: bcryptOf('Käse'.normalize('NFC')), password: 'Käse'.normalize('NFD') },
    { hash: bcryptOf('ﬁne'.normalize('NFKC')), password: 'ﬁne' },
  ],
  'password-case': [
    { hash: bcryptOf('known'), password: 'Known' },
    { hash: bcryptOf('Known'), password: 'known' },
  ],
  'password-encoding': [
    { hash: bcryptOf(Buffer.from('Käse', 'latin1')), password: 'Käse' },
    {
      hash: digestString({ digest: 'md5', hash: digestOf('md5', Buffer.from('known', 'utf16le')) }),
      password: 'known',
    },
    {
      hash: digestString({ digest: 'md5', hash: digestOf('md5', 'known'), passwordEncoding: 'utf16le' }),
      password: 'known',
    },
  ],
  'password-length': [
    {
      hash: digestString({ digest: 'sha256', hash: digestOf('sha256', 'x'.repeat(72)) }),
      password: 'x'.repeat(80),
    },
  ],
  'password-digested': [
    { hash: bcryptOf(digestOf('sha256', 'known').toString('base64')), password: 'known' },
    { hash: bcryptOf(digestOf('md5', 'known').toString('hex')), password: 'known' },
  ],
  'password-combined': [
    { hash: bcryptOf(digestOf('md5', String.raw`it\'s`).toString('hex')), password: "it's" },
    { hash: bcryptOf(digestOf('sha1', 'a&amp;b').toString('hex')), password: '  A&b ' },
    { hash: bcryptOf(Buffer.from('käse &lt;3', 'latin1')), password: 'Käse <3' },
  ],
  'signer-key-text': [signedByText()],
};

function carrying(id: string): Question {
  const { hash, password } = vector(id);
  return { hash, password };
}

function padded(hash: string): string {
  return hash.replaceAll(/[^$]{22,}/g, (part) => base64(Buffer.from(part, 'base64')));
}

function swappedCosts(text: string): string {
  const [, ln = '', r = '', p = ''] = /ln=(\d+),r=(\d+),p=(\d+)/.exec(text) ?? [];
  return `ln=${ln},r=${p},p=${r}`;
}

interface Pbkdf2 {
  readonly digest?: 'sha256' | 'sha512';
  readonly iterations?: number;
  readonly salt?: Buffer;
}

/** PBKDF2 of `known`. */
function pbkdf2Of({
  digest = 'sha256',
  iterations = 10,
  salt = Buffer.from('some salt of it'),
}: Pbkdf2): string {
  const key = pbkdf2Sync('known', salt, iterations, 32, digest);
  return pbkdf2String({ digest, iterations, salt, key });
}

/** With both characters in which the alphabets differ. */
function urlSafePbkdf2(): Question {
  const salt = Buffer.from('fbff3efbffbe', 'hex');
  const hash = pbkdf2Of({ salt });
  return {
    hash: hash.replace(/\$[^$]*\$[^$]*$/, (end) => end.replaceAll('+', '-').replaceAll('/', '_')),
    password: 'known',
  };
}

function saltAsText(hash: string): string {
  // The salt is the decoded bytes; here the text is used instead.
  return hash.replace(firebaseSalt, base64(firebaseSalt));
}

/** Made with the text of a key whose bytes are configured. */
function signedByText(): Question {
  const key = Buffer.alloc(48, 7);
  const text = Buffer.from(base64(key));
  const parsed = firebaseHash.split('$');
  const salt = Buffer.concat([Buffer.from(parsed[3] ?? '', 'base64'), Buffer.from('Bw==', 'base64')]);
  const derived = scryptSync(firebase.password, salt, 32, { N: 2 ** 4, r: 8, p: 1 });
  const hash = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16)).update(text);
  return { hash: `$f_scrypt$${base64(hash)}$${parsed[3] ?? ''}$m=4$r=8$s=Bw==`, ...variant, signerKey: key };
}

describe('repairs', () => {
  const rows = Object.entries(broken).flatMap(([name, questions]) =>
    questions.map((question, at) => [`${name} ${at + 1}`, name, question] as const),
  );

  it.each(rows)('%s', (_title, name, question) => {
    const found = ask(question);
    expect({ code: found.code, repair: found.repair }).toEqual({ code: 'REPAIRED', repair: name });
    const row = repairs.find((each) => each.name === name);
    const isStated = found.passwordAs !== undefined;
    expect(found.parameter).toBe(isStated ? 'passwordTransforms' : row?.parameter);
    expect(found.advice).toHaveLength(1);
    expect(found.kind).toBeDefined();
  });

  it('of each row of the table there is one', () => {
    expect(Object.keys(broken).sort()).toEqual(repairs.map(({ name }) => name).sort());
  });

  it.each([
    ['slashed,md5-hex', "it's", bcryptOf(digestOf('md5', String.raw`it\'s`).toString('hex'))],
    ['trimmed,lower-case,html,sha1-hex', '  A&b ', bcryptOf(digestOf('sha1', 'a&amp;b').toString('hex'))],
    ['sha512-hex', 'known', bcryptOf(digestOf('sha512', 'known').toString('hex'))],
    ['typed', "it's", `$password-as$slashed$${bcryptOf("it's")}`],
  ])('names what to state of the password: %s', (passwordAs, password, hash) => {
    const found = ask({ hash, password });
    expect(found).toMatchObject({ code: 'REPAIRED', passwordAs });
    expect(found.advice[0]).toContain(`--password-as ${passwordAs}`);
    expect(
      ask({ hash: `$password-as$${passwordAs}$${hash.replace('$password-as$slashed$', '')}`, password }).code,
    ).toBe('RIGHT');
  });

  it('keep what is stated of the password', () => {
    const hash = bcryptOf(String.raw`it\'s`);
    const stated = { hash: `$password-as$slashed$ ${hash}\n`, password: "it's" };
    expect(ask(stated)).toMatchObject({ code: 'REPAIRED', repair: 'white-space' });
    expect(ask({ ...stated, password: 'its' }).code).not.toBe('REPAIRED');
  });

  it('names the kind to say', () => {
    const found = ask({ hash: betterAuth.hash, password: betterAuth.password });
    expect(found.advice).toEqual(['Set hashingAlgorithm to better_auth.']);
  });

  it('changes one thing only: a wrong password is not repaired', () => {
    for (const [, , question] of rows.slice(0, 20)) {
      const found = ask({ ...question, password: 'another one altogether', budgetMs: 200 });
      expect(['WRONG', 'MALFORMED', 'NOT_A_HASH', 'SECRET_MISSING', 'UNSUPPORTED']).toContain(found.code);
    }
  });
});

describe('vectors', () => {
  /** Named as importers do; kinds without a string of their own are not changed. */
  const named: Readonly<Record<string, string>> = {
    'bcrypt-peppered': 'bcrypt_peppered',
    'scrypt-spring': 'scrypt',
    'scrypt-betterauth': 'better_auth',
    'pbkdf2-kratos-sha3': 'pbkdf2_kratos',
    'aspnet-identity-v2': 'aspnet',
    'aspnet-identity-v3': 'aspnet',
    md5: 'md5',
    sha256: 'sha256',
  };
  const questionOf = (each: Vector): Question => {
    const isVariant = each.kind.startsWith('firebase');
    const carried =
      /^\$(?:firescrypt|fbscrypt|firebase-scrypt)\$/.test(each.hash) || each.kind.endsWith('-clerk');
    const given = isVariant ? 'provider_scrypt' : named[each.kind];
    const added = each.params?.pepper;
    return {
      hash: isVariant && !carried ? scryptVariantString(each) : each.hash,
      ...(given !== undefined && { hashingAlgorithm: given }),
      ...(each.password !== undefined && { password: each.password }),
      ...(each.signerKey !== undefined && { signerKey: Buffer.from(each.signerKey, 'base64') }),
      ...(typeof added === 'string' && { pepper: Buffer.from(added) }),
      budgetMs: 100,
    };
  };
  const texts = vectors.filter(({ password }) => password !== undefined);
  /** Hashes whose salt, key or parameters are separate: importers combine them into a string first. */
  const needsFields = ({ params, kind }: Vector): boolean =>
    kind !== 'bcrypt-peppered' && !kind.startsWith('firebase') && params !== undefined;
  /** Prefixes that are refused with the cure, choices of password-kinds.test.ts, and a key in the hash. */
  const repaired = ['085', '110', '147', '148', '150', '151'];
  const chosen = ['307'];
  /** 084 and 267 differ in unused bits only, 242 is crypt(3) after a scheme, 270 a WordPress hash named another kind. */
  const rightHere = ['084', '242', '267', '270'];

  it.each(
    texts
      .filter((each) => each.valid && !needsFields(each) && ![...repaired, ...chosen].includes(each.id))
      .map((each) => [each.id, each] as const),
  )('%s is right', (_id, each) => {
    expect(ask(questionOf(each))).toMatchObject({ code: 'RIGHT', advice: [] });
  });

  it.each(repaired.map((id) => [id]))('%s is repaired', (id) => {
    expect(ask({ ...questionOf(vector(id)), budgetMs }).code).toBe('REPAIRED');
  });

  it.each(
    texts
      .filter(({ valid, id }) => !valid && !rightHere.includes(id))
      .map((each) => [each.id, each] as const),
  )('%s is wrong, and why', (_id, each) => {
    const found = ask(questionOf(each));
    expect(found.code).not.toBe('RIGHT');
    expect(found.code).not.toBe('RECOGNISED');
    expect(found.message.length).toBeGreaterThan(20);
    if (found.code === 'WRONG' || found.code === 'REPAIRED') expect(found.advice.length).toBeGreaterThan(0);
  });
});

describe('without a password', () => {
  it('names kind and cost', () => {
    expect(ask({ hash: '$2b$10$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2' })).toMatchObject({
      code: 'RECOGNISED',
      kind: 'bcrypt',
      description: 'BCrypt (logRounds 10), about 57 ms and 5 KiB a verification',
      tried: 0,
    });
  });

  it.each([
    ['a prefix', `{bcrypt}${bcrypt.hash}`, 'MALFORMED', /prefix/],
    ['padding', padded(pbkdf2.hash), 'MALFORMED', /padding/],
    ['the end of bcrypt', bcrypt.hash.slice(0, 50), 'MALFORMED', /10 are missing/],
    ['the end of sha512-crypt', vector('224').hash.slice(0, -7), 'MALFORMED', /7 are missing/],
    ['the end of a Django hash', djangoPbkdf2.hash.slice(0, -4), 'MALFORMED', /4 are missing/],
    ['a key alone', 'bm90aGluZyBvZiBpbnRlcmVzdCBpcyBpbiBoZXJl', 'NOT_A_HASH', /several fields/],
    ['a bcrypt of cost 31', bcrypt.hash.replace('$05$', '$31$'), 'OVER_CEILING', /./],
    ['an account without one', '!abc', 'NO_PASSWORD', /./],
  ] as const)('%s: says what is wrong', (_what, hash, code, cure) => {
    const found = ask({ hash });
    expect(found.code).toBe(code);
    expect([found.message, ...found.advice].join(' ')).toMatch(cure);
  });

  it('needs the secrets that the kind needs', () => {
    expect(ask({ hash: firebaseHash, hashingAlgorithm: 'provider_scrypt' })).toMatchObject({
      code: 'SECRET_MISSING',
      parameter: 'provider_password_hashing_signer_key',
    });
    expect(ask({ hash: bcrypt.hash, hashingAlgorithm: 'bcrypt_peppered' })).toMatchObject({
      code: 'SECRET_MISSING',
      parameter: 'bcrypt_pepper',
    });
  });

  it('knows no algorithm by another name', () => {
    const asked = { hash: bcrypt.hash, hashingAlgorithm: 'rot13' };
    expect(ask(asked)).toMatchObject({ code: 'UNSUPPORTED', parameter: 'hashingAlgorithm' });
    expect(ask({ ...asked, password: bcrypt.password })).toMatchObject({
      code: 'REPAIRED',
      repair: 'hashing-algorithm',
      advice: ['Set hashingAlgorithm to bcrypt.'],
    });
  });
});

describe('the signer key', () => {
  const other = Buffer.alloc(64, 9);
  const first = ask({ hash: firebaseHash, ...variant, signerKey: other, budgetMs: 0 });

  it('is the first suspect of one pair, and not with certainty', () => {
    expect(first).toMatchObject({ code: 'WRONG', parameter: 'provider_password_hashing_signer_key' });
    expect(first.advice.join(' ')).toMatch(/signer key .* second pair/);
  });

  it('is wrong with certainty when two hashes decrypt to one key', () => {
    const key = Buffer.alloc(64, 3);
    const pairs = ['a', 'b'].map((password) =>
      ask({ ...signed(password, key), signerKey: other, budgetMs: 0 }),
    );
    const [found, ...rest] = conclude(pairs);
    expect(found).toMatchObject({
      code: 'SIGNER_KEY_WRONG',
      parameter: 'provider_password_hashing_signer_key',
    });
    expect(rest[0]?.code).toBe('SIGNER_KEY_WRONG');
    const said = JSON.stringify(found);
    for (const secret of [key, other])
      for (const form of ['base64', 'hex'] as const) expect(said).not.toContain(secret.toString(form));
    expect(found?.message).toContain(createHash('sha256').update(key).digest('hex').slice(0, 16));
  });

  it('is reported although its length is another, or none is configured, or the separator is wrong too', () => {
    const key = Buffer.alloc(64, 3);
    const asked = (options: Partial<ExamineInput>, change = (hash: string) => hash): Examination[] =>
      conclude(
        ['a', 'b'].map((password) => {
          const question = signed(password, key);
          return ask({ ...question, hash: change(question.hash), ...options });
        }),
      );
    expect(asked({ signerKey: Buffer.alloc(32, 1) }).map(({ code }) => code)).toEqual(
      Array<string>(2).fill('SIGNER_KEY_WRONG'),
    );
    expect(asked({})[0]).toMatchObject({ code: 'SIGNER_KEY_MISSING' });
    expect(asked({})[0]?.message).toContain('missing');
    const both = asked({ signerKey: other }, (hash) => hash.replace('$s=Bw==', '$s='));
    expect(both[0]).toMatchObject({ code: 'SIGNER_KEY_WRONG' });
    expect(both[0]?.advice.join(' ')).toContain('salt-separator');
  });

  it('is not accused by two wrong passwords, by one pair given twice, or together with a right pair', () => {
    const key = Buffer.alloc(64, 3);
    const wrong = ['a', 'b'].map((password) =>
      ask({ ...signed(password, key), password: 'x', signerKey: other, budgetMs: 0 }),
    );
    expect(conclude(wrong).map(({ code }) => code)).toEqual(['WRONG', 'WRONG']);
    expect(conclude([first, first]).map(({ code }) => code)).toEqual(['WRONG', 'WRONG']);
    const beside = [
      ask({ ...signed('a', key), signerKey: key }),
      ask({ ...signed('b', key), password: 'x', signerKey: key, budgetMs: 0 }),
    ];
    const concluded = conclude(beside);
    expect(concluded.map(({ code }) => code)).toEqual(['RIGHT', 'WRONG']);
    expect(concluded[1]?.advice[0]).toMatch(/signer key is right/);
  });
});

/** A cheap hash of the scrypt variant. */
function signed(password: string, key: Buffer): Question {
  const { passwordHash } = signPassword(password, key);
  return { hash: passwordHash, hashingAlgorithm: 'provider_scrypt', password };
}

describe('bounds', () => {
  const dear = '$2b$12$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

  it('spends no more than the budget on repairs, and says what was left out', () => {
    const plan = planOf({ hash: dear, password: 'x', limits, budgetMs: 1000 });
    const repairMs = plan.attempts.slice(1).reduce((sum, { parsed }) => sum + workOf(parsed), 0);
    expect(repairMs).toBeLessThanOrEqual(1000);
    expect(plan.attempts.length).toBeGreaterThan(1);
    expect(plan.skipped).toBeGreaterThan(0);
    expect(planOf({ hash: dear, password: 'x', limits, budgetMs: 0 }).attempts).toHaveLength(1);
    const found = ask({ hash: bcrypt.hash, password: 'x', budgetMs: 4 });
    expect(found.skipped).toBeGreaterThan(0);
    expect(found.message).toContain(`${found.skipped} more were left out`);
  });

  it('checks each attempt against the limits, and reports the memory of the most expensive', () => {
    const tight = { ...limits, scryptMaxMemoryMb: 8 };
    const cheap = signed('a', Buffer.alloc(64, 3));
    const open = planOf({ limits, budgetMs, ...cheap });
    const held = planOf({ limits: tight, budgetMs, ...cheap });
    expect(open.memoryBytes).toBeGreaterThan(16 * 1024 * 1024);
    expect(held.memoryBytes).toBeLessThan(8 * 1024 * 1024);
    expect(held.attempts.length).toBeLessThan(open.attempts.length);
    const iterated = pbkdf2Of({ iterations: 1000 });
    const few = planOf({
      hash: iterated,
      password: 'x',
      limits: { ...limits, pbkdf2MaxIterations: 2000 },
      budgetMs,
    });
    for (const { parsed } of few.attempts)
      if (parsed.kind === 'pbkdf2') expect(parsed.iterations).toBeLessThanOrEqual(2000);
  });

  it('throws for no string, and shows nothing of hash, password or secrets', () => {
    const random = randomNumbers(41);
    const secret = 'a password that nobody types';
    for (let round = 0; round < 300; round += 1) {
      const from = vectors[random(vectors.length)]?.hash ?? '';
      const hash = mutated(mutated(from, random), random);
      const found = ask({
        hash,
        password: secret,
        signerKey: firebaseKey,
        pepper,
        budgetMs: 1,
        limits: cheapLimits,
      });
      const said = JSON.stringify(found);
      for (const hidden of [secret, base64(firebaseKey), pepper.toString()])
        expect(said).not.toContain(hidden);
      for (const part of hash.split(/[$:}]/).filter(({ length }) => length >= 20))
        expect(said).not.toContain(part);
    }
  });
});

/** So that a damaged hash is not expensive by chance. */
const cheapLimits = {
  ...limits,
  bcryptMaxCost: 5,
  argon2MaxMemoryKb: 1024,
  scryptMaxMemoryMb: 1,
  pbkdf2MaxIterations: 2000,
  cryptMaxRounds: 5000,
  phpassMaxLogRounds: 11,
};
