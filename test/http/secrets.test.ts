/** No secret of a client or an operator is revealed anywhere, whatever happens. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { contract } from '../helpers/contract.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, newEmail } from '../helpers/people.ts';

const secret = (name: string) => `${name}${randomBytes(12).toString('hex')}`;
const signerKey = randomBytes(64).toString('base64');
const passwords = [secret('pw'), secret('wrong'), secret('new'), secret('refused')] as const;
const brokenHash = `$2b$04$${secret('')}`;
const email = newEmail();

let core: TestCore;
const errors: string[] = [];
const listings: string[] = [];
const tokens: string[] = [];
let hashes: string[] = [];

function keep(answer: Answer): Answer {
  if (answer.http >= 400) errors.push(`${answer.text} ${JSON.stringify([...answer.headers])}`);
  return answer;
}

const post = async (path: string, input?: unknown) => keep(await core.post(path, input));

/** Every operation, with successes, refusals and bugs. */
beforeAll(async () => {
  core = await startTestCore({ settings: { LOG_LEVEL: 'debug', MAX_BODY_BYTES: '5000' } });
  await core.put('/recipe/multitenancy/app/v2', {
    appId: 'public',
    coreConfig: { provider_password_hashing_signer_key: signerKey },
  });
  const user = await signUpAndChange();
  await makeTokens(user);
  await refuseEverything();
  await breakEverything();
  for (const path of ['/recipe/multitenancy/tenant/v2', '/recipe/multitenancy/tenant/list/v2'])
    listings.push((await core.get(path)).text);
  listings.push((await core.get('/recipe/multitenancy/app/list/v2')).text);
  hashes = await withSql(core.database.connection, async (sql) => {
    const rows = await sql<{ password_hash: string }[]>`
      select password_hash from carryover.users where password_hash is not null`;
    return rows.map((row) => row.password_hash);
  });
});
afterAll(() => core.stop());

async function signUpAndChange(): Promise<string> {
  const { body } = await post('/recipe/signup', { email, password: passwords[0] });
  const { id } = body.user as { id: string };
  await post('/recipe/signup', { email, password: passwords[1] });
  for (const password of passwords) await post('/recipe/signin', { email, password });
  await core.put('/recipe/user', { recipeUserId: id, password: passwords[2] });
  await post('/recipe/user/passwordhash/import', { email: newEmail(), passwordHash: knownHash });
  return id;
}

async function makeTokens(userId: string): Promise<void> {
  for (const path of ['/recipe/user/email/verify', '/recipe/user/password/reset']) {
    const token = String((await post(`${path}/token`, { userId, email })).body.token);
    const spend = path.endsWith('verify') ? path : `${path}/token/consume`;
    for (let i = 0; i < 2; i += 1) await post(spend, { method: 'token', token });
    tokens.push(token);
  }
}

async function refuseEverything(): Promise<void> {
  await post('/recipe/user/passwordhash/import', { email: newEmail(), passwordHash: brokenHash });
  await post('/recipe/user/passwordhash/import', { email: newEmail(), passwordHash: { hash: brokenHash } });
  await post('/recipe/signin', { email: 'nobody', password: passwords[3] });
  await post('/recipe/signin', { email, password: `${passwords[3]}\0` });
  await post('/recipe/signin', { email, password: passwords[3].repeat(300) });
  await post('/recipe/user/email/verify', { method: tokens[0], token: tokens[0] });
  keep(
    await core.put('/recipe/multitenancy/tenant/v2', {
      tenantId: 'x',
      coreConfig: { provider_password_hashing_signer_key: `!${signerKey}` },
    }),
  );
  for (const [key, body] of [
    [`${testApiKey}x`, ''],
    [testApiKey, `{"password":"${passwords[3]}"`],
  ] as const) {
    const answer = await fetch(`${core.url}/recipe/signin`, {
      method: 'POST',
      headers: { 'api-key': key },
      body,
    });
    errors.push(await answer.text());
  }
}

/** Without tables every request is a bug: its statement and its cause are logged. */
async function breakEverything(): Promise<void> {
  await withSql(core.database.connection, async (sql) => {
    await sql`alter table carryover.users rename column email to email_gone`;
  });
  for (const password of passwords) {
    await post('/recipe/signin', { email, password });
    await post('/recipe/signup', { email: newEmail(), password });
  }
  const passwordHash = knownHash;
  await post('/recipe/user/passwordhash/import', { email: newEmail(), passwordHash });
  for (const { method, path, input } of contract)
    if (method === 'POST' && !path.includes('multitenancy')) await post(path, { ...input, token: tokens[0] });
  await withSql(core.database.connection, async (sql) => {
    await sql`alter table carryover.users rename column email_gone to email`;
  });
}

describe('after every operation and every sort of failure', () => {
  test('there were failures to look at', () => {
    expect(errors.filter((text) => text.includes('INTERNAL_ERROR')).length).toBeGreaterThan(5);
    expect(core.log.filter((line) => line.includes('"level":"error"')).length).toBeGreaterThan(5);
    expect(tokens.map((token) => token.length)).toEqual([128, 128]);
    expect(hashes.length).toBeGreaterThan(1);
  });

  test.each(['the log', '/metrics', 'an error', 'a listing', 'the OpenAPI document'])(
    'no secret stands in %s',
    async (where) => {
      const text = {
        'the log': () => core.log.join(''),
        '/metrics': async () => (await core.get('/metrics')).text,
        'an error': () => errors.join('\n'),
        'a listing': () => listings.join('\n'),
        'the OpenAPI document': async () => (await core.get('/docs/openapi.json')).text,
      }[where];
      const searched = (await text?.()) ?? '';
      expect(searched.length).toBeGreaterThan(50);
      const secrets = { passwords, tokens, hashes, brokenHash: [brokenHash], keys: [testApiKey, signerKey] };
      for (const [kind, values] of Object.entries(secrets))
        for (const value of values) expect(searched.includes(value), `${kind} in ${where}`).toBe(false);
    },
  );

  test('nor does the database hold a token or a password', async () => {
    const dump = await withSql(core.database.connection, async (sql) => {
      const tables = ['tokens', 'users', 'verified_emails'] as const;
      const rows = await Promise.all(
        tables.map((name) => sql`select t::text as row from carryover.${sql(name)} t`),
      );
      return JSON.stringify(rows);
    });
    for (const value of [...passwords, ...tokens]) expect(dump).not.toContain(value);
  });
});
