/** Two cores on one database, as behind a load balancer. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { newApp } from '../helpers/people.ts';

interface Answered {
  readonly status: string;
  readonly accessToken: { readonly token: string };
  readonly refreshToken: { readonly token: string };
}

let cores: readonly [TestCore, TestCore];
let app: string;
beforeAll(async () => {
  const first = await startTestCore();
  cores = [first, await startTestCore({ database: first.database })];
});
afterAll(async () => {
  await cores[1].stop();
  await cores[0].stop();
});
beforeEach(async () => {
  app = await newApp(cores[0]);
});

const post = async (core: TestCore, path: string, input: object): Promise<Answered> => {
  const answer = await core.post(`${app}/recipe/session${path}`, { enableAntiCsrf: false, ...input });
  expect([answer.http, answer.text]).toEqual([200, answer.text]);
  return answer.body as unknown as Answered;
};
const create = (core: TestCore) => post(core, '', { userId: 'u', userDataInJWT: {}, userDataInDatabase: {} });
const refresh = (core: TestCore, { refreshToken }: Answered) =>
  post(core, '/refresh', { refreshToken: refreshToken.token, useDynamicSigningKey: true });
const verify = (core: TestCore, { accessToken }: Answered, checkDatabase = false) =>
  post(core, '/verify', { accessToken: accessToken.token, doAntiCsrfCheck: false, checkDatabase });
const listed = async ({ url }: TestCore): Promise<string> =>
  (await fetch(`${url}${app}/.well-known/jwks.json`)).text();

test('both make the keys of an app once, when both need them first at the same moment', async () => {
  const each = cores.flatMap((core) => Array.from({ length: 5 }, () => core));
  const [lists, sessions] = await Promise.all([Promise.all(each.map(listed)), Promise.all(each.map(create))]);
  expect(new Set(lists).size).toBe(1);
  for (const core of cores)
    for (const session of sessions) expect(await verify(core, session)).toMatchObject({ status: 'OK' });
  const families = await withSql(
    cores[0].database.connection,
    (sql) => sql<{ family: number }[]>`
      select family from carryover.signing_keys join carryover.apps using (app_no)
      where app_id = ${app.slice('/appid-'.length)} order by family`,
  );
  expect(families.map(({ family }) => family)).toEqual([1, 2, 3]);
});

test('a spent token is seen by the core that did not spend it', async () => {
  const [here, there] = cores;
  for (const [one, other] of [
    [here, there],
    [there, here],
  ] as const) {
    const first = await create(one);
    const child = await refresh(other, first);
    expect(await verify(one, child)).toMatchObject({ status: 'OK', accessToken: {} });
    for (const core of [one, other]) expect((await refresh(core, first)).status).toBe('TOKEN_THEFT_DETECTED');
    expect(await refresh(other, child)).toMatchObject({ status: 'OK' });
  }
});

test('a client whose requests go to either core is not taken for a thief', async () => {
  let held = await create(cores[0]);
  for (let n = 0; n < 6; n++) {
    // Two tabs, each at another core, with the same token.
    const [mine, other] = await Promise.all(cores.map((core) => refresh(core, held)));
    expect([mine?.status, other?.status]).toEqual(['OK', 'OK']);
    if (mine === undefined || other === undefined) throw new Error('there are two cores');
    held = n % 2 === 0 ? mine : other;
    const used = await Promise.all(cores.map((core) => verify(core, held, true)));
    expect(used.map(({ status }) => status)).toEqual(['OK', 'OK']);
  }
});
