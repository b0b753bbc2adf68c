/** Metrics of imports and of hashes for an operator. */
import { expect, test } from 'vitest';
import { uploadClient } from '../helpers/bulk-client.ts';
import type { TestCore } from '../helpers/core.ts';
import { importUser, newEmail } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

async function metric(name: string): Promise<Record<string, number>> {
  const { text } = await core.get('/metrics');
  const found = [...text.matchAll(new RegExp(`^${name}(?:\\{\\w+="([\\w-]+)"\\})? (\\d+)$`, 'gm'))];
  return Object.fromEntries(found.map(([, label = '', value]) => [label, Number(value)]));
}

async function importLines(lines: readonly string[], query: string): Promise<void> {
  const client = uploadClient(core.port, core.apiKey);
  const file = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  await client.resume(await client.create(app, file.length, query), file);
}

test('records are counted by outcome, those of a dry run are not', async () => {
  const line = (email: string) =>
    JSON.stringify({ loginMethods: [{ recipeId: 'passwordless', email, timeJoinedInMSSinceEpoch: 1 }] });
  const lines = [line(newEmail()), line(newEmail()), '{'];
  await importLines(lines, '?dryRun=true');
  expect(await metric('carryover_import_records_total')).toEqual({});
  await importLines(lines, '');
  expect(await metric('carryover_import_records_total')).toMatchObject({
    created: 2,
    rejected: 1,
    updated: 0,
  });
  expect(await metric('carryover_import_uploads')).toEqual({ '': 0 });
});

test('passwords are counted by the kind of their hash, and not for unknown users', async () => {
  const email = newEmail();
  await importUser(core, email, app);
  const signIn = (who: string) =>
    fetch(`${core.url}${app}/recipe/signin`, {
      method: 'POST',
      headers: { 'api-key': core.apiKey },
      body: JSON.stringify({ email: who, password: 'abc' }),
    });
  await signIn(newEmail());
  await signIn(email);
  expect(await metric('carryover_passwords_verified_total')).toEqual({ bcrypt: 1 });
});
