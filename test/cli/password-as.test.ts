/** `--password-as`: the source's transforms of passwords before hashing, from a file to a sign-in and back out. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import { newApp, signIn } from '../helpers/people.ts';

/** PHP's password_hash(md5(addslashes("it's")), PASSWORD_BCRYPT, ['cost' => 4]). */
const ofPhp = {
  password: "it's",
  hash: '$2y$04$UzN8z1wSxyalDfrIUS6lEOYT7h7ss7ig2mLeTZ15J63WP1kyyJwqa',
};
/** PHP's password_hash(sha1('s,ite|known') . '$end ', …): prefix and suffix of the whole site. */
const ofSite = {
  password: 'known',
  hash: '$2y$04$9xAR78PSC2WkcQPCVEWGWOKkzd/N/gAecZ6huPUedm1MkeD51NDqy',
  as: 'prefix=s%2Cite%7C,sha1-hex,suffix=%24end%20',
};
const email = 'nell@example.com';
/** Three rows of wp_users, two of which have quotes in their passwords. */
const ofWordpress = `"ID","user_login","user_pass","user_email","user_registered","display_name"
"2","nell","$P$BsC7ssxsKV8.dq6CuaMSyBJIeXLQku.","nell@example.com","2021-06-07 08:09:10","Nell"
"3","odo","$P$BlBCncAxCX9ra94lbTGSNwr2AoL9aL1","odo@example.com","2021-06-07 08:09:10","Odo"
"4","pam","$P$BBcmR.PSPKVrSBlvKusPrp4QvYRprw/","pam@example.com","2021-06-07 08:09:10","Pam"
`;
const native = (hash: string, more: object = {}): string =>
  `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: hash, ...more }] })}\n`;

let core: TestCore;
let app: string;
let place: Place;
beforeAll(async () => {
  core = await startTestCore({ settings: { ALLOW_HASH_EXPORT: 'true', UPGRADE_PASSWORD_HASHES: 'true' } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  place = await makePlace();
  app = await newApp(core);
});
afterEach(() => place.remove());

const at = (of: string): string[] => ['--url', core.url, '--app', of.replace('/appid-', '')];
const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  place.run(args, { environment: { CARRYOVER_API_KEY: testApiKey, ...environment } });

async function imported(args: readonly string[], to = app, environment = {}): Promise<string> {
  const { code, stdout, stderr } = await run(['import', '--yes', ...args, ...at(to)], environment);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return /job ([0-9a-f-]{36})/.exec(stdout + stderr)?.[1] ?? '';
}

interface ExportedMethod {
  readonly email: string;
  readonly passwordHash: string;
  readonly passwordTransforms?: string;
}

async function exported(of = app): Promise<readonly ExportedMethod[]> {
  const { text } = await core.get(`${of}/bulk-export/users`);
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => (JSON.parse(line) as { loginMethods: ExportedMethod[] }).loginMethods);
}

const upgrades = (): Promise<number> =>
  metric(core, 'carryover_hash_upgrades_total', { outcome: 'upgraded' });

describe('an export of WordPress', () => {
  it('signs in users with quotes in their passwords, whose hash is then made again of what they typed', async () => {
    await place.write('users.csv', ofWordpress);
    await imported(['users.csv']);
    expect(new Set((await exported()).map(({ passwordTransforms }) => passwordTransforms))).toEqual(
      new Set(['slashed,trimmed|trimmed']),
    );
    expect(await signIn(core, email, 'Nells boat', app)).toBe('WRONG_CREDENTIALS_ERROR');
    const before = await upgrades();
    for (const [who, password] of [
      [email, "Nell's boat"],
      ['odo@example.com', 'say "hi" Odo'],
      ['pam@example.com', 'Pam-plain-1'],
    ] as const)
      expect(await signIn(core, who, password, app)).toBe('OK');
    while ((await upgrades()) < before + 3);
    for (const { passwordHash, passwordTransforms } of await exported()) {
      expect(passwordHash).toContain('$argon2id$');
      expect(passwordTransforms).toBeUndefined();
    }
    expect(await signIn(core, email, "Nell's boat", app)).toBe('OK');
    expect(await signIn(core, email, String.raw`Nell\'s boat`, app)).toBe('WRONG_CREDENTIALS_ERROR');
    // The same file is recognised again: the upgraded hash is of the same password.
    const again = await run(['import', '--yes', 'users.csv', '--json', ...at(app)]);
    expect(JSON.parse(again.stdout)).toMatchObject({ job: { unchanged: 3, updated: 0 } });
  });
});

describe('--password-as', () => {
  it('is stored with the hash, survives export and import, and an undo puts back what was there', async () => {
    await place.write('users.ndjson', native(ofPhp.hash));
    await imported(['users.ndjson']);
    expect(await signIn(core, email, ofPhp.password, app)).toBe('WRONG_CREDENTIALS_ERROR');
    const job = await imported(['users.ndjson', '--password-as', 'slashed,md5-hex']);
    const stated = [{ passwordHash: ofPhp.hash, passwordTransforms: 'slashed,md5-hex' }];
    expect(await exported()).toMatchObject(stated);
    const out = await run(['export', '-o', 'out.ndjson', ...at(app)]);
    expect(out.code).toBe(0);
    const undone = await run(['undo', job, '--yes', ...at(app)]);
    expect(undone).toMatchObject({ code: 0 });
    expect((await exported()).map(({ passwordTransforms }) => passwordTransforms)).toEqual([undefined]);
    const other = await newApp(core);
    await imported(['out.ndjson', '--password-as', 'typed'], other);
    expect(await exported(other)).toMatchObject(stated);
    expect(await signIn(core, email, ofPhp.password, other)).toBe('OK');
    expect(await signIn(core, email, 'its', other)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  it('is taken with single users, too', async () => {
    const input = { email, passwordHash: ofPhp.hash, passwordTransforms: 'slashed,md5-hex' };
    expect((await core.post(`${app}/recipe/user/passwordhash/import`, input)).body.status).toBe('OK');
    expect(await signIn(core, email, ofPhp.password, app)).toBe('OK');
    const refused = await core.post(`${app}/recipe/user/passwordhash/import`, {
      ...input,
      passwordTransforms: 'slashd',
    });
    expect([refused.http, refused.text]).toEqual([
      400,
      expect.stringContaining(
        "'passwordTransforms' is invalid in JSON input: 'slashd' is not known; known are",
      ),
    ]);
    const users = await core.post(`${app}/bulk-import/users`, {
      users: [
        JSON.parse(
          native(ofPhp.hash, { passwordTransforms: 'slashed,prefix=site-secret,nonsense' }),
        ) as object,
      ],
    });
    expect([users.http, users.text]).toEqual([400, expect.stringContaining('passwordTransforms')]);
    expect(users.text).not.toContain('site-secret');
  });

  it('with a prefix may come from the environment, and no output has it', async () => {
    await place.write('users.ndjson', native(ofSite.hash));
    const args = ['import', 'users.ndjson', '--password-as', ofSite.as, '--dry-run', ...at(app)];
    const dry = await run(args);
    expect(dry.code).toBe(0);
    await imported(['users.ndjson'], app, { CARRYOVER_PASSWORD_AS: ofSite.as });
    expect(await signIn(core, email, ofSite.password, app)).toBe('OK');
    const hashes = await run(['hashes', ...at(app)]);
    const inspected = await run(['inspect', 'users.ndjson', '--password-as', ofSite.as]);
    const asked = await run(['import', 'users.ndjson', '--password-as', ofSite.as, ...at(app)]);
    expect(asked.stderr + asked.stdout).toContain('CARRYOVER_PASSWORD_AS');
    const shown = [dry, hashes, inspected, asked].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(shown).not.toContain('s%2Cite');
    expect(shown).not.toContain('s,ite');
  });

  it('with names that are not known is refused, and the known ones are listed', async () => {
    await place.write('users.ndjson', native(ofPhp.hash));
    const { code, stderr } = await run(['inspect', 'users.ndjson', '--password-as', 'slashed,md5']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/'md5' is not known; known are: typed, slashed, html, .*md5-hex/);
  });
});

describe('known passwords', () => {
  it('show what to state, and are right once it is stated', async () => {
    await place.write('users.ndjson', native(ofPhp.hash));
    await place.write('known.csv', `email,password\n${email},${ofPhp.password}\n`);
    const doctor = ['doctor', '--pairs', 'known.csv', '--export', 'users.ndjson'];
    const found = await run(doctor);
    expect(found.code).not.toBe(0);
    expect(found.stdout).toContain('import with --password-as slashed,md5-hex');
    expect((await run([...doctor, '--password-as', 'slashed,md5-hex'])).code).toBe(0);
    const one = ['doctor', ofPhp.hash, '--password', ofPhp.password, '--password-as', 'slashed,md5-hex'];
    expect((await run(one)).code).toBe(0);
  });

  it('as canaries stop an import that states nothing, and let it go on with the form that it names', async () => {
    await place.write('users.ndjson', native(ofPhp.hash));
    await place.write('known.csv', `email,password\n${email},${ofPhp.password}\n`);
    const args = ['users.ndjson', '--canaries', 'known.csv'];
    const stopped = await run(['import', '--yes', ...args, ...at(app)]);
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toContain('import with --password-as slashed,md5-hex');
    await imported([...args, '--password-as', 'slashed,md5-hex']);
    expect(await signIn(core, email, ofPhp.password, app)).toBe('OK');
  });
});
