/** Records that the sender could not convert, stated as rejects. With the real engine. */
import { expect, it } from 'vitest';
import type { AbsentUser } from '../../src/imports/absence.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { rejectsOnlyLimit } from '../../src/domain/jobs/cancel-reasons.ts';
import { lineOfReject } from '../../src/imports/parse/stated-reject.ts';
import { person, type TestImports } from '../helpers/imports.ts';
import { useImports } from '../helpers/use-imports.ts';

let imports: TestImports;
let tenant: Tenant;

useImports({
  all: (used) => {
    ({ imports } = used);
  },
  each: (own) => {
    tenant = own;
  },
});

async function absentOf(id: string): Promise<AbsentUser[]> {
  const all: AbsentUser[] = [];
  for await (const page of imports.absentUsers(tenant, id)) all.push(...page);
  return all;
}

const anonymous = { code: 'NOT_IMPORTABLE', field: 'email', message: 'the account is anonymous' } as const;

it('are counted and listed with the others, by their lines', async () => {
  const lines = [person(1), lineOfReject({ ...anonymous, externalUserId: 'a-2' }), 'no json', person(4)];
  const job = await imports.run(tenant, lines);
  expect(job).toMatchObject({ created: 2, rejected: 2, statedRejects: 1, state: 'done' });
  expect(await imports.allRejects(tenant, job.id)).toMatchObject([
    { line: 2, ...anonymous, externalUserId: 'a-2' },
    { line: 3, code: 'INVALID_JSON' },
  ]);
});

it('have the prefix of the import before their ids, and so does a dry run', async () => {
  const lines = [lineOfReject({ ...anonymous, externalUserId: '7' }), person(1)];
  const job = await imports.run(tenant, lines, { idPrefix: 'forum:', dryRun: true });
  expect(job).toMatchObject({ created: 1, rejected: 1, statedRejects: 1 });
  expect(await imports.allRejects(tenant, job.id)).toMatchObject([{ line: 1, externalUserId: 'forum:7' }]);
});

it.each([
  ['an unknown code', { ...anonymous, code: 'ANYTHING' }, 'MISSING_FIELD'],
  ['a message that is none', { ...anonymous, message: 7 }, 'MISSING_FIELD'],
  ['a message without end', { ...anonymous, message: 'x'.repeat(1001) }, 'MISSING_FIELD'],
  ['a field that cannot be stored', { ...anonymous, field: '\0' }, 'INVALID_FIELD'],
])('with %s are lines like any other', async (_, rejected, code) => {
  const job = await imports.run(tenant, [JSON.stringify({ rejected })]);
  expect(job).toMatchObject({ rejected: 1, statedRejects: 0 });
  expect(await imports.allRejects(tenant, job.id)).toMatchObject([{ line: 1, code }]);
});

it('do not stop the import of a file that begins with them, nor save one of which all else is wrong', async () => {
  const stated = Array.from({ length: rejectsOnlyLimit }, () => lineOfReject(anonymous));
  expect(await imports.run(tenant, [...stated, person(1)])).toMatchObject({ state: 'done', created: 1 });
  const wrong = Array.from({ length: rejectsOnlyLimit }, () => '{}');
  await expect(imports.run(tenant, [lineOfReject(anonymous), ...wrong])).rejects.toMatchObject({
    code: 'JOB_STOPPED',
  });
});

it('count against a file where they say that its records are bad', async () => {
  const bad = { ...anonymous, code: 'INVALID_FIELD' } as const;
  const stated = Array.from({ length: rejectsOnlyLimit }, () => lineOfReject(bad));
  await expect(imports.run(tenant, [lineOfReject(anonymous), ...stated])).rejects.toMatchObject({
    code: 'JOB_STOPPED',
  });
  const source = { source: 'shop', absent: 'disable' } as const;
  await imports.run(tenant, [person(1), person(2), person(3)], source);
  const job = await imports.run(tenant, [person(1), person(2), lineOfReject(bad)], source);
  expect(job.absence?.refused).toBeDefined();
});

it('do not prevent the search for absent users: everything is known of them', async () => {
  const source = { source: 'shop' };
  await imports.run(tenant, [person(1), person(2), person(3)], source);
  const job = await imports.run(tenant, [person(1), person(2), lineOfReject(anonymous)], {
    ...source,
    absent: 'disable',
  });
  expect(job.absence).toMatchObject({ count: 1, done: 1, refused: undefined });
});

it('name users who are in the file, so that these are not absent; but not users that the source marks as deleted', async () => {
  const source = { source: 'shop' };
  await imports.run(tenant, [person(1), person(2), person(3), person(4)], source);
  const stated = [
    lineOfReject({ ...anonymous, externalUserId: 'legacy-2' }),
    lineOfReject({ ...anonymous, externalUserId: 'legacy-3', isGone: true }),
  ];
  const lines = [person(1), ...stated, person(4)];
  const dry = await imports.run(tenant, lines, { ...source, absent: 'remove', dryRun: true });
  expect(dry.absence).toMatchObject({ known: 4, count: 1 });
  const job = await imports.run(tenant, lines, { ...source, absent: 'remove' });
  expect(job.absence).toMatchObject({ known: 4, count: 1, done: 1 });
  expect(await absentOf(job.id)).toMatchObject([{ userId: 'legacy-3', done: 'removed' }]);
});

it('of the import itself name such users, too: a record with a mistake is no sign that its person left', async () => {
  const source = { source: 'shop' };
  await imports.run(tenant, [person(1), person(2), person(3)], source);
  const mistaken = JSON.stringify({ externalUserId: 'legacy-2', loginMethods: [] });
  const rules = { ...source, absent: 'remove', absentYes: true } as const;
  const job = await imports.run(tenant, [person(1), mistaken], rules);
  expect(job).toMatchObject({ rejected: 1, absence: { known: 3, count: 1 } });
  expect(await absentOf(job.id)).toMatchObject([{ userId: 'legacy-3' }]);
});
