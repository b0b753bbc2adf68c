/** Refusals of hashes that state the cure, and the ceilings. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { knownHash, newEmail, refusalOf } from '../helpers/people.ts';

const argon2 = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
const scryptFront =
  '$f_scrypt$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==$42xEC+ixf3L2lw==';
const scrypt = `${scryptFront}$m=14$r=8$s=Bw==`;
const signerKey = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==';

let core: TestCore;
let keyless: TestCore;

beforeAll(async () => {
  [core, keyless] = await Promise.all([
    startTestCore({ settings: { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: signerKey } }),
    startTestCore(),
  ]);
});
afterAll(() => Promise.all([core.stop(), keyless.stop()]));

async function refused(
  passwordHash: string,
  hashingAlgorithm?: string,
  by = core,
): Promise<readonly unknown[]> {
  const input = { email: newEmail(), passwordHash, hashingAlgorithm };
  return refusalOf(await by.post('/recipe/user/passwordhash/import', input));
}

describe("an exporter's prefix that was left on is named", () => {
  test.each([
    ['bcrypt$', `bcrypt$${knownHash}`],
    ['{bcrypt}', `{bcrypt}${knownHash}`],
    ['{BCRYPT}', `{BCRYPT}${knownHash}`],
    ['argon2', `argon2${argon2}`],
    ['{argon2}', `{argon2}${argon2}`],
    ['{ARGON2}', `{ARGON2}${argon2}`],
    ['{argon2@SpringSecurity_v5_8}', `{argon2@SpringSecurity_v5_8}${argon2}`],
  ])('%s', async (prefix, hash) => {
    expect(await refused(hash)).toEqual([
      400,
      'INVALID_PASSWORD_HASH',
      `Password hash is in invalid format: the exporter's prefix ${prefix} was left on: remove it`,
    ]);
  });
});

describe('a construction of its own is named, and never advised to be stripped', () => {
  test.each([
    ['passlib', '$bcrypt-sha256$v=2,t=2b,r=12$n79VH.0Q2TMWmt3Oqt9uku$Kq4Noyk3094Y2QlB8NdRT8SvGiI4ft2'],
  ])('of %s', async (name, hash) => {
    for (const kind of [undefined, 'bcrypt']) {
      const [http, status, message] = await refused(hash, kind);
      expect([http, status]).toEqual([400, 'INVALID_PASSWORD_HASH']);
      expect(message).toMatch(
        new RegExp(`it is ${name}'s .*, a construction of its own .*leave the prefix on`),
      );
      expect(message).not.toMatch(/remove|strip/);
    }
  });
});

describe('what cannot be verified is refused with its reason', () => {
  test.each([
    ['the first revision', knownHash.replace('$2b$', '$2$'), /\$2\$ is the first revision/],
    ['a secret', argon2.replace('p=1', 'p=1,keyid=a'), /keyid= says that a secret/],
    ['further data', argon2.replace('p=1', 'p=1,data=YQ'), /data= says that further data/],
    ['no password', '!locked', /marks an account without a password/],
    ['plain text', '{noop}secret', /plain-text password/],
    ['a spreadsheet', `'${knownHash}`, /leading apostrophe/],
    ['quotes', `"${knownHash}"`, /left in quotes: remove them/],
    ['another kind', '$S$DeZ0yZyUuUuUuUuUuUuUuUuUuUuUuUuUuUuUuUuUuUuUuUuUuUu', /./],
    ['a bare digest', '5f4dcc3b5aa765d61d8327deb882cf99', /as long as MD5 in hexadecimal digits/],
    ['a text of 5,000 characters', 'x'.repeat(5000), /longer than 4096 characters/],
    ['anything else', 'hunter2', /begins with none of /],
  ])('%s', async (_what, hash, reason) => {
    const [http, status, message] = await refused(hash);
    expect([http, status]).toEqual([400, 'INVALID_PASSWORD_HASH']);
    expect(message).toMatch(reason);
    for (const secret of ['hunter2', 'secret"', 'abcdefghijklmnop']) expect(message).not.toContain(secret);
  });

  test('an export that may not read hashes', async () => {
    const hash = '$f_scrypt$UkVEQUNURUQ=$42xEC+ixf3L2lw==$m=14$r=8$s=Bw==';
    expect(await refused(hash, 'provider_scrypt')).toEqual([
      400,
      'INVALID_PASSWORD_HASH',
      expect.stringMatching(/says REDACTED .* export again/),
    ]);
  });
});

describe('the scrypt variant', () => {
  test.each(['provider_scrypt', 'firebase_scrypt', 'FIREBASE_SCRYPT'])(
    'is called %s',
    async (hashingAlgorithm) => {
      const input = { email: newEmail(), passwordHash: scrypt, hashingAlgorithm };
      expect((await core.post('/recipe/user/passwordhash/import', input)).http).toBe(200);
    },
  );

  test('must be called so', async () => {
    expect(await refused(scrypt)).toEqual([
      400,
      'INVALID_PASSWORD_HASH',
      'Password hash is in invalid format: hashingAlgorithm is required for this kind: set it to provider_scrypt',
    ]);
  });

  test('takes its last three parts in any order', async () => {
    for (const end of ['$r=8$s=Bw==$m=14', '$s=Bw==$m=14$r=8']) {
      const input = {
        email: newEmail(),
        passwordHash: scryptFront + end,
        hashingAlgorithm: 'provider_scrypt',
      };
      const { http } = await core.post('/recipe/user/passwordhash/import', input);
      expect(http).toBe(200);
      expect(
        await core.post('/recipe/signin', { email: input.email, password: 'user1password' }),
      ).toMatchObject({
        body: { status: 'OK' },
      });
    }
  });

  test('needs a signer key, whose setting is named', async () => {
    expect(await refused(scrypt, 'provider_scrypt', keyless)).toEqual([
      400,
      'SIGNER_KEY_MISSING',
      "No signer key is configured: set 'provider_password_hashing_signer_key' to the key of the project (Firebase console: Authentication > Users > three dots > Password hash parameters)",
    ]);
  });

  test('belongs to a signer key of its length', async () => {
    const short = scrypt.replace('JAdRuid5lQ==', '');
    expect(await refused(short, 'provider_scrypt')).toEqual([
      400,
      'INVALID_PASSWORD_HASH',
      expect.stringContaining('not as long as the configured signer key'),
    ]);
  });
});

describe('ceilings', () => {
  const at = (parameters: string) => argon2.replace('m=256,t=2,p=1', parameters);
  test.each([
    ['bcrypt_max_cost', '15', knownHash.replace('$04$', '$15$'), knownHash.replace('$04$', '$16$')],
    ['argon2_max_memory_kb', '1048576 KiB', at('m=1048576,t=1,p=1'), at('m=1048577,t=1,p=1')],
    ['argon2_max_iterations', '10', at('m=256,t=10,p=1'), at('m=256,t=11,p=1')],
    ['argon2_max_parallelism', '16', at('m=256,t=2,p=16'), at('m=256,t=2,p=17')],
    ['scrypt_max_memory_mb', '256 MiB', `${scryptFront}$m=18$r=8$s=`, `${scryptFront}$m=18$r=9$s=`],
  ])('%s is %s, and one more is over it', async (setting, value, within, over) => {
    const hashingAlgorithm = within.startsWith('$f_scrypt$') ? 'provider_scrypt' : undefined;
    const input = { email: newEmail(), passwordHash: within, hashingAlgorithm };
    expect((await core.post('/recipe/user/passwordhash/import', input)).http).toBe(200);
    expect(await refused(over, hashingAlgorithm)).toEqual([
      400,
      'HASH_OVER_CEILING',
      expect.stringMatching(
        new RegExp(`^Password hash costs more .* is over the ceiling of ${value} set by ${setting}$`),
      ),
    ]);
  });
});
