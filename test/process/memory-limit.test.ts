/** The program in a control group with the limit of a small container. */
import argon2 from 'argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ControlGroup, hasControlGroups, makeControlGroup } from '../helpers/control-group.ts';
import { addressOf, makeWorkplace, type Program, runMain, type Workplace } from '../helpers/process.ts';
import { testApiKey } from '../helpers/core.ts';

const limitMb = 256;
const password = 'correct horse battery staple';
const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}@example.com`);

async function post(base: string, path: string, input: object): Promise<[number, string]> {
  const headers = { 'api-key': testApiKey };
  const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(input) });
  const { status } = (await response.json()) as { status: string };
  return [response.status, status];
}

describe.skipIf(!hasControlGroups)('a core in 256 MiB with its own PostgreSQL', () => {
  let place: Workplace;
  let group: ControlGroup;
  let program: Program | undefined;
  const start = (within?: string) =>
    runMain({
      environment: { DATA_DIR: place.dataDir, API_KEYS: testApiKey, HASHING_THREADS: '2' },
      ...(within !== undefined && { within }),
    });

  beforeAll(async () => {
    // Files of a file system in memory would count for the group.
    place = await makeWorkplace('/var/tmp');
    group = makeControlGroup(limitMb * 2 ** 20);
  });
  afterAll(async () => {
    await program?.end();
    group.remove();
    await place.remove();
  });

  /** The default of PHP and of passlib. They were imported with more memory. */
  test('survives four sign-ins at once with Argon2id and m=64 MiB', async () => {
    const roomy = start();
    const passwordHash = await argon2.hash(password, { memoryCost: 65_536, timeCost: 1, parallelism: 1 });
    await roomy.printed(/"msg":"ready"/);
    for (const email of emails)
      expect(
        await post(await addressOf(roomy), '/recipe/user/passwordhash/import', { email, passwordHash }),
      ).toEqual([200, 'OK']);
    await roomy.end();

    program = start(group.enter);
    await program.printed(/"msg":"ready"/);
    const base = await addressOf(program);
    const answers = await Promise.all(
      emails.map((email) => post(base, '/recipe/signin', { email, password })),
    );
    expect(answers.map(([http]) => http).filter((http) => http !== 200 && http !== 503)).toEqual([]);
    expect([group.killed(), program.child.exitCode]).toEqual([0, null]);

    const health = (await (await fetch(`${base}/health`)).json()) as { memory: object };
    const [, budget = ''] = /"memory":({[^}]*})/.exec(program.stdout()) ?? [];
    expect(health).toMatchObject({ ready: true, memory: { limitMb, hashingMb: 32 } });
    expect(JSON.parse(budget)).toEqual(health.memory);
    expect(program.stdout()).toContain('How much memory');

    const upload = { 'api-key': testApiKey, 'tus-resumable': '1.0.0', 'upload-length': '100' };
    const refused = await fetch(`${base}/bulk-import/jobs`, { method: 'POST', headers: upload });
    expect([refused.status, await refused.json()]).toEqual([
      413,
      {
        status: 'NOT_ENOUGH_MEMORY',
        message: expect.stringContaining('The core has 256 MiB of memory, and imports need') as string,
      },
    ]);
  });
});
