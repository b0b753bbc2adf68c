/** `carryover audit` against a whole core. */
import os from 'node:os';
import { expect, it } from 'vitest';
import { runHere } from '../helpers/command.ts';
import { testApiKey, type TestCore } from '../helpers/core.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
useCoreAndApps((used) => {
  ({ core } = used);
});

const run = (...args: string[]) =>
  runHere(['audit', ...args, '--url', core.url], {
    folder: os.tmpdir(),
    environment: { CARRYOVER_API_KEY: testApiKey },
  });

it('lists who did what, filtered, and as JSON', async () => {
  for (const role of ['reader', 'writer', 'editor']) await core.put('/recipe/role', { role });
  const { code, stdout } = await run('--what', 'role', '--limit', '2');
  expect(code).toBe(0);
  const [titles, ...rows] = stdout.trimEnd().split('\n');
  expect(titles).toMatch(/^when \(UTC\) +who +from +what +outcome/);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/api_keys +127\.0\.0\.1 +role\.put +OK +- +role editor$/);
  const asJson = await run('--since', '1h', '--who', 'api_keys', '--what', 'role.put', '--json');
  const { entries } = JSON.parse(asJson.stdout) as { entries: { details: object }[] };
  expect(entries.map(({ details }) => details)).toEqual([
    { role: 'editor' },
    { role: 'writer' },
    { role: 'reader' },
  ]);
  expect((await run('--who', 'nobody')).stdout).toBe('Nothing was done that the audit log keeps\n');
});

it('says what a time is', async () => {
  const { code, stderr } = await run('--since', 'yesterday');
  expect(code).not.toBe(0);
  expect(stderr).toContain('It takes a time span such as 24h or 7d');
});
