/** A client that guesses passwords is slowed down, learns nothing by it, and locks no other user out. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import { importUser, knownPassword, newApp, newEmail, newTenant, signInUp } from '../helpers/people.ts';

let now = Date.now();
let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now }, settings: { GUESSES_PER_ADDRESS: '30' } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
});

const paths = ['/recipe/signin', '/recipe/user/passwordhash/verify'] as const;

interface Try {
  readonly email: string;
  readonly password?: string;
  readonly from?: string | undefined;
  readonly path?: string;
  readonly prefix?: string;
  readonly header?: string;
  readonly to?: TestCore;
}

/** The part of the answer that a client can see, without the date. */
async function attempt({ email, password = 'wrong', from, path = paths[0], prefix = app, ...rest }: Try) {
  const response = await fetch(`${(rest.to ?? core).url}${prefix}${path}`, {
    method: 'POST',
    headers: {
      'api-key': testApiKey,
      ...(from !== undefined && { [rest.header ?? 'Carryover-Client-Address']: from }),
    },
    body: JSON.stringify({ email, password }),
  });
  const text = await response.text();
  const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'date'));
  return { http: response.status, text, headers };
}

const status = async (each: Try) => (await attempt(each)).http;

async function statuses(n: number, each: Try): Promise<number[]> {
  const seen: number[] = [];
  for (let i = 0; i < n; i++) seen.push(await status(each));
  return seen;
}

const answered = (n: number) => Array.from({ length: n }, () => 200);

let address = 0;
const newAddress = () => `192.0.2.${++address}`;

test.each(paths)('%s: after ten wrong passwords it says when to come back', async (path) => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(core, email, app);
  expect(await statuses(10, { email, from, path })).toEqual(answered(10));
  const { http, text, headers } = await attempt({ email, from, path });
  expect([http, headers['retry-after'], JSON.parse(text)]).toEqual([
    429,
    '30',
    { status: 'TOO_MANY_GUESSES', message: 'Too many wrong passwords: try again later' },
  ]);
  now += 12_500;
  expect((await attempt({ email, from, path })).headers['retry-after']).toBe('18');
  now += 17_500;
  expect(await statuses(2, { email, from, path })).toEqual([200, 429]);
});

test('an unknown email, a social user and a known one get the same bytes and headers throughout', async () => {
  const [known, social] = [newEmail(), newEmail()];
  await importUser(core, known, app);
  await signInUp(core, 'g-1', { id: social }, app);
  const answersTo = async (email: string) => {
    const from = newAddress();
    const seen = [];
    for (let i = 0; i < 12; i++) seen.push(await attempt({ email, from }));
    return seen;
  };
  const [first, ...others] = [await answersTo(known), await answersTo(social), await answersTo(newEmail())];
  expect(first.map(({ http }) => http)).toEqual([...answered(10), 429, 429]);
  for (const other of others) expect(other).toEqual(first);
});

test('a refused guess is neither looked up nor hashed, and counted', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await statuses(10, { email, from });
  const counts = async () => [
    await metric(core, 'carryover_pool_task_duration_seconds_count'),
    await metric(core, 'carryover_batch_size_sum', { operation: 'find-credential' }),
    await metric(core, 'carryover_guesses_refused_total', { rule: 'account' }),
  ];
  const [tasks = 0, lookUps = 0, refused = 0] = await counts();
  expect(await statuses(3, { email, from })).toEqual([429, 429, 429]);
  expect(await counts()).toEqual([tasks, lookUps, refused + 3]);
});

test('the owner gets in while a stranger guesses', async () => {
  const [email, stranger, owner] = [newEmail(), newAddress(), newAddress()];
  await importUser(core, email, app);
  await statuses(10, { email, from: stranger });
  expect(await status({ email, from: stranger, password: knownPassword })).toBe(429);
  for (const path of paths) {
    const { text } = await attempt({ email, from: owner, password: knownPassword, path });
    expect(text).toContain('"status":"OK"');
  }
});

test('an email in one tenant is another account than in the next, and both paths count together', async () => {
  const [email, from, tenant] = [newEmail(), newAddress(), await newTenant(core, app)];
  expect(await statuses(5, { email, from, path: paths[0] })).toEqual(answered(5));
  expect(await statuses(6, { email, from, path: paths[1] })).toEqual([...answered(5), 429]);
  expect(await status({ email: email.toUpperCase(), from })).toBe(429);
  expect(await status({ email, from, prefix: tenant })).toBe(200);
});

test('many at once are no way round', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(core, email, app);
  const seen = await Promise.all(Array.from({ length: 40 }, () => status({ email, from })));
  expect(seen.filter((http) => http === 200)).toHaveLength(10);
});

test('right passwords are not guesses', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(core, email, app);
  for (const path of paths)
    expect(await statuses(20, { email, from, path, password: knownPassword })).toEqual(answered(20));
});

test('one address at many accounts is slowed down', async () => {
  const from = newAddress();
  const seen = [];
  for (let i = 0; i < 31; i++) seen.push(await status({ email: newEmail(), from }));
  expect(seen).toEqual([...answered(30), 429]);
  expect(await status({ email: newEmail(), from: newAddress() })).toBe(200);
});

test('an address that proxies add is not that of a guesser', async () => {
  const email = newEmail();
  await importUser(core, email, app);
  const proxied = { from: '10.0.0.7', header: 'X-Forwarded-For' };
  for (let i = 0; i < 110; i++) expect(await status({ email: newEmail(), ...proxied })).toBe(200);
  const { http, text } = await attempt({ email, password: knownPassword, ...proxied });
  expect([http, text]).toEqual([200, expect.stringContaining('"status":"OK"')]);
});

test('an address that people sign in from is not one guesser, and its refusals are reported once', async () => {
  const other = await startTestCore({
    database: core.database,
    overrides: { now: () => now },
    settings: { GUESSES_PER_ADDRESS: '10', CLIENT_ADDRESS_HEADER: 'X-Forwarded-For' },
  });
  try {
    const proxied = { from: newAddress(), header: 'X-Forwarded-For', to: other };
    const people = Array.from({ length: 5 }, newEmail);
    for (const email of people) {
      await importUser(core, email, app);
      expect(await status({ email, password: knownPassword, ...proxied })).toBe(200);
    }
    const seen = [];
    for (let i = 0; i < 20; i++) seen.push(await status({ email: newEmail(), ...proxied }));
    expect(seen.filter((http) => http === 200)).toHaveLength(10);
    const told = other.log.filter((line) => line.includes('client_address_header'));
    expect(told).toEqual([expect.stringContaining('"accounts":5,"header":"x-forwarded-for"')]);
    expect(told[0]).not.toContain(proxied.from);
  } finally {
    await other.stop();
  }
});

test('without a client address no user waits for longer than a second', async () => {
  const email = newEmail();
  await importUser(core, email, app);
  expect(await statuses(20, { email })).toEqual(answered(20));
  for (const from of [undefined, '', ' , 192.0.2.1', 'x'.repeat(65)]) {
    const { http, headers } = await attempt({ email, from });
    expect([http, headers['retry-after']]).toEqual([429, '1']);
  }
  expect(await status({ email: newEmail() })).toBe(200);
  now += 1000;
  expect((await attempt({ email, password: knownPassword })).text).toContain('"status":"OK"');
});

test('all of an IPv6 network is one address, and only the first entry is one', async () => {
  const email = newEmail();
  for (let i = 1; i <= 10; i++)
    expect(await status({ email, from: `2001:db8:1:2::${i}, 10.0.0.${i}` })).toBe(200);
  expect(await status({ email, from: '2001:DB8:1:2:3:4:5:6' })).toBe(429);
  expect(await status({ email, from: '2001:db8:1:3::1' })).toBe(200);
});

test('a guess that could not be judged is not counted', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(core, email, app);
  const other = await startTestCore({
    database: core.database,
    overrides: { now: () => now },
    settings: { HASHING_THREADS: '1', HASHING_QUEUE_LIMIT: '1' },
  });
  try {
    const seen = await Promise.all(Array.from({ length: 10 }, () => status({ email, from, to: other })));
    const judged = seen.filter((http) => http === 200).length;
    expect(seen.filter((http) => http === 503)).toHaveLength(10 - judged);
    expect(judged).toBeLessThan(10);
    const further = await statuses(11 - judged, { email, from, to: other });
    expect(further).toEqual([...answered(10 - judged), 429]);
  } finally {
    await other.stop();
  }
});

test('the header and the limits are settings', async () => {
  const other = await startTestCore({
    database: core.database,
    overrides: { now: () => now },
    settings: { GUESSES_PER_ACCOUNT: '2', GUESSES_PER_ADDRESS: '0', CLIENT_ADDRESS_HEADER: 'X-Client' },
  });
  const off = await startTestCore({
    database: core.database,
    overrides: { now: () => now },
    settings: { GUESSES_PER_ACCOUNT: '0', GUESSES_PER_ADDRESS: '0' },
  });
  try {
    const [email, from] = [newEmail(), newAddress()];
    expect(await statuses(3, { email, from, header: 'x-client', to: other })).toEqual([200, 200, 429]);
    expect(await statuses(5, { email, from, to: other })).toEqual([...answered(4), 429]);
    expect(await statuses(40, { email, from, to: off })).toEqual(answered(40));
  } finally {
    await other.stop();
    await off.stop();
  }
});

test('the OpenAPI document knows 429', async () => {
  const { body } = await core.get('/docs/openapi.json');
  const { paths: described, components } = body as {
    paths: Record<string, { post?: { responses: Record<string, unknown> } }>;
    components: { responses: Record<string, { description: string }> };
  };
  for (const path of paths) expect(described[path]?.post?.responses).toHaveProperty('429');
  expect(components.responses['429']?.description).toContain('TOO_MANY_GUESSES');
});
