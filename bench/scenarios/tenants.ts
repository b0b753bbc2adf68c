import { importPeople } from '../load/people.ts';
import { type JsonRequest, sendAll } from '../load/requests.ts';
import { type Stand, withStand } from '../load/stand.ts';
import { emailOf, password } from '../../src/load/made-up.ts';
import { type BenchOptions, measuredApart, type Measurement, type Scenario } from '../scenario.ts';

/** What a tenant costs when there are very many: to make one, to sign in to one, to list all, and in memory. */
export const tenants: Scenario = {
  name: 'tenants',
  about:
    '10,000 tenants of an app, made one after the other: making one, and signing in to one, at the end against the start',
  run: (options) => withStand({ UPGRADE_PASSWORD_HASHES: 'false' }, (stand) => grow(stand, options)),
};

interface Amounts {
  readonly tenants: number;
  /** Made, or signed in to, for one figure. */
  readonly some: number;
}
const full: Amounts = { tenants: 10_000, some: 500 };
const quick: Amounts = { tenants: 300, some: 30 };

const cheapHash = {
  passwordHash: '$2y$04$fKVra2YhKvNMeDgpWuyq8O3.8PyHKGVWPeCn6urCSoGmksdB6v7ru',
  hashingAlgorithm: 'bcrypt',
};

async function grow(stand: Stand, { quick: isQuick, say }: BenchOptions): Promise<Measurement[]> {
  const { tenants: all, some } = isQuick ? quick : full;
  const { core, cluster } = stand;
  await cluster.reset();
  await importPeople(core, some, () => cheapHash);
  const alone = await timesOf(some, (n) => signIn('', n), core);
  const made: number[] = [];
  const memoryBefore = core.memoryMb();
  for (let n = 0; n < all; n++) {
    made.push(...(await timesOf(1, () => put(n), core)));
    if ((n + 1) % 1000 === 0)
      say(`${(n + 1).toLocaleString('en')} tenants, core ${core.memoryMb().toFixed(0)} MB`);
  }
  // A user in each of some tenants, spread over all; each is asked once, so nothing of it is in memory.
  const step = Math.floor(all / some);
  for (let n = 0; n < some; n++) await sendAll(core, [importInto(n * step, n)]);
  const among = await timesOf(some, (n) => signIn(`/t${n * step}`, n), core);
  const again = await timesOf(some, (n) => signIn('', n), core);
  const [list] = await timesOf(
    1,
    () => ({ method: 'GET', path: '/recipe/multitenancy/tenant/list/v2' }),
    core,
  );
  say(`all ${all.toLocaleString('en')} listed in ${(list ?? NaN).toFixed(0)} ms`);
  const details = {
    tenants: all,
    listMs: list,
    memoryMbBefore: memoryBefore,
    memoryMbAfter: core.memoryMb(),
  };
  const facts = { unit: 'ms, median', reference: 'the same with one tenant' };
  return [
    measuredApart(
      { ...facts, name: 'tenants/make', reference: 'the same at the start', atMost: 1.5, details },
      made.slice(-some),
      made.slice(0, some),
    ),
    measuredApart({ ...facts, name: 'tenants/sign-in', atMost: 1.5 }, again, alone),
    measuredApart({ ...facts, name: 'tenants/first sign-in of a tenant' }, among, alone),
  ];
}

function put(n: number): JsonRequest {
  return {
    method: 'PUT',
    path: '/recipe/multitenancy/tenant/v2',
    body: { tenantId: `t${n}` },
  };
}

function importInto(tenant: number, n: number): JsonRequest {
  const body = { email: emailOf(n), passwordHash: cheapHash.passwordHash };
  return { method: 'POST', path: `/t${tenant}/recipe/user/passwordhash/import`, body };
}

function signIn(tenant: string, n: number): JsonRequest {
  return {
    method: 'POST',
    path: `${tenant}/recipe/signin`,
    rid: 'emailpassword',
    body: { email: emailOf(n), password },
  };
}

/** One after the other. @returns ms each */
async function timesOf(
  count: number,
  request: (n: number) => JsonRequest,
  core: Stand['core'],
): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const startedAt = performance.now();
    await sendAll(core, [request(n)]);
    times.push(performance.now() - startedAt);
  }
  return times;
}
