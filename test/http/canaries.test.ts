/** Canaries: known passwords that a core verifies before it creates a job. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';
import { signPassword } from '../helpers/scrypt-variant.ts';

const signerKey = Buffer.alloc(64, 3);
const otherKey = Buffer.alloc(64, 9);

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { BCRYPT_PEPPER: 'a pepper of this core' } });
});
afterAll(() => core.stop());

const jobsPath = '/bulk-import/jobs';
const right = { email: 'Ada@Example.com', password: knownPassword, passwordHash: knownHash };
const signed = (email: string, password = email): object => ({
  email,
  password,
  passwordHash: signPassword(email, signerKey).passwordHash,
  hashingAlgorithm: 'firebase_scrypt',
});

interface Sent {
  readonly app?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: TestCore;
}

const deferred = { 'upload-defer-length': '1' };

async function create(body: unknown, { app = '', query = '', headers = deferred, at = core }: Sent = {}) {
  const response = await fetch(`${at.url}${app}${jobsPath}${query}`, {
    method: 'POST',
    headers: { 'api-key': testApiKey, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = text === '' ? {} : (JSON.parse(text) as { status?: string; message?: string });
  return { http: response.status, location: response.headers.get('location') ?? '', ...answer };
}

const jobsOf = async (app = ''): Promise<readonly Record<string, unknown>[]> =>
  (await core.get(`${app}${jobsPath}`)).body.jobs as Record<string, unknown>[];
const users = (): Promise<number> =>
  withSql(core.database.connection, async (sql) => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from carryover.users`;
    return row?.count ?? 0;
  });

describe('canaries that are right', () => {
  it('make a job as ever, whose bytes follow', async () => {
    const app = await newApp(core);
    const line = `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', passwordHash: knownHash }] })}\n`;
    const length = { 'upload-length': String(line.length), 'tus-resumable': '1.0.0' };
    const made = await create(
      { canaries: [right], name: 'from the body', onConflict: 'skip', unknown: 1 },
      { app, headers: length, query: '?name=from+the+query&dryRun=false' },
    );
    expect(made.http).toBe(201);
    const patched = await fetch(`${core.url}${made.location}`, {
      method: 'PATCH',
      headers: {
        'api-key': testApiKey,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: line,
    });
    expect(patched.status).toBe(204);
    expect(await jobsOf(app)).toMatchObject([
      { name: 'from the body', onConflict: 'skip', dryRun: false, state: 'done', created: 1 },
    ]);
    const signIn = { email: 'ada@example.com', password: knownPassword };
    expect((await core.post(`${app}/recipe/signin`, signIn)).body.status).toBe('OK');
  });

  it('are verified with the keys of the app', async () => {
    const app = await newApp(core, { firebase_password_hashing_signer_key: signerKey.toString('base64') });
    const canaries = [signed('a@example.com'), signed('b@example.com'), right];
    expect((await create({ canaries, dryRun: true }, { app })).http).toBe(201);
    expect(await jobsOf(app)).toMatchObject([{ dryRun: true, state: 'receiving' }]);
  });

  it('may be left out with an empty body', async () => {
    const app = await newApp(core);
    expect((await create('', { app })).http).toBe(201);
  });
});

describe('a canary that fails', () => {
  it('stops everything, and two show a wrong signer key with certainty', async () => {
    const app = await newApp(core, { firebase_password_hashing_signer_key: otherKey.toString('base64') });
    const before = await users();
    const canaries = [right, signed('a@example.com'), signed('b@example.com')];
    const { http, status, message = '' } = await create({ canaries }, { app });
    expect({ http, status }).toEqual({ http: 400, status: 'CANARY_FAILED' });
    expect(message).toMatch(
      /^Nothing was imported, because 2 of 3 canaries failed, first canaries\.1 \(a@example\.com\): /,
    );
    expect(message).toContain('The passwords are right and the SIGNER KEY is wrong');
    expect(message).toContain('provider_password_hashing_signer_key');
    expect(message).not.toContain(otherKey.toString('base64'));
    expect(message).not.toContain(signPassword('a@example.com', signerKey).hash);
    expect(await jobsOf(app)).toEqual([]);
    expect(await users()).toBe(before);
  });

  it('reports a signer key of another length, and a missing one', async () => {
    const short = await newApp(core, {
      firebase_password_hashing_signer_key: Buffer.alloc(32, 1).toString('base64'),
    });
    const canaries = [signed('a@example.com'), signed('b@example.com')];
    expect((await create({ canaries }, { app: short })).message).toContain('SIGNER KEY is wrong');
    const none = await newApp(core);
    expect((await create({ canaries }, { app: none })).message).toContain('SIGNER KEY is missing');
  });

  it.each([
    ['a password', { ...right, password: 'another' }, /WRONG|does not have this hash/, 'passwordHash'],
    ['a prefix', { ...right, passwordHash: `{bcrypt}${knownHash}` }, /\(prefix\)/, 'passwordHash'],
    ['a pepper', { ...right, hashingAlgorithm: 'bcrypt_peppered' }, /pepper-left-on/, 'hashingAlgorithm'],
    ['a kind', { ...right, hashingAlgorithm: 'md5' }, /hashing-algorithm/, 'hashingAlgorithm'],
    ['a name', { ...right, hashingAlgorithm: 'rot13' }, /hashing-algorithm/, 'hashingAlgorithm'],
    ['nothing', { ...right, passwordHash: 'not a hash at all' }, /format/, 'passwordHash'],
  ])('names the parameter to look at: %s', async (_what, canary, why, parameter) => {
    const { http, status, message = '' } = await create({ canaries: [canary] });
    expect({ http, status }).toEqual({ http: 400, status: 'CANARY_FAILED' });
    expect(message).toMatch(why);
    expect(message).toMatch(new RegExp(`Look at: ${parameter}$`));
    expect(message).not.toContain(canary.passwordHash);
    expect(await jobsOf()).toEqual([]);
  });

  it('leaves nothing of it in the log', async () => {
    const password = 'a password that nobody else has';
    await create({ canaries: [{ ...right, password }] });
    expect(core.log.join('')).not.toContain(password);
  });
});

describe('a body that says canaries', () => {
  const canary = { password: 'p', passwordHash: knownHash };
  const invalid = (field: string, why = ''): string => `Field name '${field}' is invalid in JSON input${why}`;

  it.each([
    ['no canaries', {}, invalid('canaries')],
    ['none', { canaries: [] }, invalid('canaries', ': must not be empty')],
    [
      'too many',
      { canaries: Array(101).fill(canary) },
      invalid('canaries', ': must have at most 100 elements'),
    ],
    ['no password', { canaries: [canary, { passwordHash: knownHash }] }, invalid('canaries.1.password')],
    ['no hash', { canaries: [{ password: 'p' }] }, invalid('canaries.0.passwordHash')],
    ['an email that is none', { canaries: [{ ...canary, email: 'x' }] }, invalid('canaries.0.email')],
    ['another rule of factors', { canaries: [canary], secondFactor: 'ask' }, invalid('secondFactor')],
    ['another conflict', { canaries: [canary], onConflict: 'merge' }, invalid('onConflict')],
    ['a number', { canaries: [{ ...canary, hashingAlgorithm: 1 }] }, invalid('canaries.0.hashingAlgorithm')],
    ['a NUL', { canaries: [{ ...canary, password: '\0' }] }, invalid('canaries.0.password')],
  ])('is checked: %s', async (_what, body, message) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ http: 400, status: 'INVALID_FIELD' });
    expect(answer.message).toContain(message);
  });

  it('is UTF-8 and JSON', async () => {
    const latin = Buffer.from('{"canaries":[{"password":"K\xe4se","passwordHash":"x"}]}', 'latin1');
    for (const body of ['{', '[]', latin])
      expect(await create(body)).toMatchObject({ http: 400, status: 'INVALID_JSON_INPUT' });
  });

  it('has at most 64 KiB, checked by its length or counted as it comes', async () => {
    const long = JSON.stringify({ canaries: [{ ...canary, password: 'x'.repeat(65_536) }] });
    const answer = {
      http: 413,
      status: 'BODY_TOO_LARGE',
      message: 'The request body is larger than 65536 bytes',
    };
    expect(await create(long)).toMatchObject(answer);
    const response = await fetch(`${core.url}${jobsPath}`, {
      method: 'POST',
      headers: { 'api-key': testApiKey, 'content-type': 'application/json', ...deferred },
      body: new Blob([long]).stream(),
      duplex: 'half',
    });
    expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([
      413,
      'BODY_TOO_LARGE',
    ]);
  });

  it('needs a length of the upload as any other beginning, and no encoding', async () => {
    expect(await create({ canaries: [canary] }, { headers: {} })).toMatchObject({
      status: 'UPLOAD_LENGTH_REQUIRED',
    });
    expect(
      await create({ canaries: [canary] }, { headers: { ...deferred, 'content-encoding': 'gzip' } }),
    ).toMatchObject({
      http: 415,
    });
    expect(
      await create({ canaries: [canary] }, { headers: { ...deferred, 'tus-resumable': '0.1' } }),
    ).toMatchObject({
      http: 412,
    });
  });

  it('may not cost more than a minute', async () => {
    const dear = { password: 'p', passwordHash: knownHash.replace('$04$', '$15$') };
    const { status, message } = await create({ canaries: Array(100).fill(dear) });
    expect(status).toBe('INVALID_FIELD');
    expect(message).toContain('send fewer of the dear ones');
  });

  it('stands in the description of the routes', async () => {
    const { body } = await core.get('/docs/openapi.json');
    const paths = body.paths as Record<
      string,
      { post: { requestBody: { content: Record<string, { schema?: object }> } } }
    >;
    expect(paths[jobsPath]?.post.requestBody.content['application/json']?.schema).toMatchObject({
      properties: { canaries: { maxItems: 100 }, codeCanaries: { maxItems: 100 } },
    });
  });
});

describe('a busy core', () => {
  it('refuses canaries like sign-ins, and makes no job', async () => {
    const busy = await startTestCore({ settings: { HASHING_THREADS: '1', HASHING_QUEUE_LIMIT: '1' } });
    try {
      const slow = { password: 'p', passwordHash: knownHash.replace('$04$', '$10$') };
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => create({ canaries: [slow, slow, slow] }, { at: busy })),
      );
      expect(answers.map(({ http }) => http)).toContain(503);
      expect((await busy.get(jobsPath)).body.jobs).toEqual([]);
    } finally {
      await busy.stop();
    }
  });
});
