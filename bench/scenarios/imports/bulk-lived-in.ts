import { someHash } from '../../../src/load/made-up.ts';
import { textArray } from '../../../src/domain/pg-array.ts';
import { importRecords } from '../../load/people.ts';
import { type DeltaFiles, writeDeltaFiles } from '../../load/files.ts';
import { type JsonRequest, sendAll } from '../../load/requests.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { importFile } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * The same three imports into an app that was in use for a year, relative to a new one: users who were removed, roles and
 * metadata of ids without a user, three tenants, linked and disabled users, a former import and one that was undone.
 */
export const bulkLivedIn: Scenario = {
  name: 'bulk-lived-in',
  about:
    'a file, the same again and the next export, in an app with removed users and data of ids without users; against a new app',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
};

interface Amounts {
  /** In the file. */
  readonly users: number;
  /** The number of removed users, and of ids with roles and with metadata. */
  readonly lived: readonly number[];
}
const full: Amounts = { users: 400_000, lived: [1, 1000, 100_000] };
const quick: Amounts = { users: 20_000, lived: [1, 200] };

/** The maximum of each kind in the file: users removed here have mostly left the source, too. */
const inFileAtMost = 1000;

/** Users of a year that an import does not meet: the maximum of each kind. */
const bystanders = 200;

const imports = ['first', 'again', 'delta'] as const;
type Rates = Readonly<Record<(typeof imports)[number], number>>;
/** By the number of traces in the app: 0 for a new one. */
type Round = ReadonlyMap<number, Rates>;

async function compare(stand: Stand, options: BenchOptions): Promise<Measurement[]> {
  const { users, lived } = options.quick ? quick : full;
  const files = await writeDeltaFiles(users);
  try {
    for (const tenantId of ['berlin', 'paris'])
      await sendAll(stand.core, [
        { method: 'PUT', path: '/recipe/multitenancy/tenant/v2', body: { tenantId } },
      ]);
    for (const count of lived) await live(stand, { users, count }, options);
    return await untilKnown(
      options,
      { least: 3, most: 6, inWords },
      () => runRound(stand, files, lived),
      (rounds) => comparisons(rounds, users, lived),
    );
  } finally {
    await files.remove();
  }
}

async function runRound(stand: Stand, files: DeltaFiles, lived: readonly number[]): Promise<Round> {
  const round = new Map<number, Rates>();
  for (const count of [0, ...lived]) {
    await stand.cluster.reset();
    await restore(stand, count);
    if (count > 0) await addBystanders(stand, Math.min(count, bystanders));
    round.set(count, await importThrice(stand, files, count));
  }
  return round;
}

async function importThrice({ cluster, core }: Stand, files: DeltaFiles, count: number): Promise<Rates> {
  const { users, added, changed } = files;
  const removed = inFile(count);
  const there = users - removed;
  // None of the users with a changed password was removed.
  const expected = { created: added, updated: changed, unchanged: there - changed };
  const first = await importFile(cluster, core, files.export, { created: there });
  const again = await importFile(cluster, core, files.export, { unchanged: there });
  const delta = await importFile(cluster, core, files.delta, expected);
  return { first: first.rate, again: again.rate, delta: delta.rate };
}

function inFile(count: number): number {
  return Math.min(Math.floor(count / 2), inFileAtMost);
}

/**
 * The year's traces that imports meet, as requests leave them, but written together: 300,000 requests would take longer than the
 * measurement. Copied, because each app begins with a new set of them.
 */
async function live(
  { cluster, core }: Stand,
  { users, count }: { readonly users: number; readonly count: number },
  { say }: BenchOptions,
): Promise<void> {
  const { write } = cluster.database;
  const ids = (kind: keyof typeof firstPlaces): string =>
    textArray(idsOf(kind, { users, count }), (id) => id);
  await cluster.reset();
  await restore({ cluster, core }, 0);
  await importRecords(core, idsOf('gone', { users, count }).map(record));
  await write(leaveTombstones);
  await write(`insert into roles (app_no, role) values (0, 'tester')`);
  await write(
    `insert into user_roles (app_no, user_key, tenant_no, role)
     select 0, w.id, 0, 'tester' from unnest($1::text[]) w (id)`,
    [ids('role')],
  );
  await write(
    `insert into text_metadata (app_no, user_key, metadata)
     select 0, w.id, '{"plan": "pro"}' from unnest($1::text[]) w (id)`,
    [ids('metadata')],
  );
  for (const table of traceTables) await write(`create table ${copyOf(table, count)} as table ${table}`);
  say(`an app with ${count.toLocaleString('en')} of each is there`);
}

/** As store/removal/tombstones.ts writes them, for all users. */
const leaveTombstones = `
  insert into tombstones (app_no, digest, person, tenant_no, mark)
  select 0, tombstone_digest(d.secret, 0, k.kind, k.key, k.tenant_no), u.user_id, k.tenant_no,
    rare_mark(d.secret, 0, k.what)
  from users u
  cross join decoy_secret d
  cross join lateral (
    select i.kind::int as kind, i.key, i.tenant_no, 'k' || replace(i.key::text, '-', '') as what
    from identities_of(0, u) i
    union all
    select 5, identity_key(3::smallint, u.external_id, null, null, null), null, 'x' || u.external_id
  ) k`;

/** A reset does not remove them. Tables that triggers write to come first. */
const traceTables = ['tombstones', 'awaited_ids', 'roles', 'user_roles', 'text_metadata'] as const;

function copyOf(table: string, count: number): string {
  return `lived_${count}_${table}`;
}

async function restore({ cluster }: Stand, count: number): Promise<void> {
  const { write } = cluster.database;
  await write(`truncate ${traceTables.join(', ')} cascade`);
  if (count === 0) return;
  for (const table of traceTables)
    await write(`insert into ${table} select * from ${copyOf(table, count)} on conflict do nothing`);
  // The core reads what was added since its last look.
  for (const table of ['tombstones', 'awaited_ids']) await write(`update ${table} set made_in = default`);
}

/** In each hundred lines of the file the users of each kind begin at this distance after the one that changes. */
const firstPlaces = { gone: 1, role: 40, metadata: 70 } as const;

/** Some of them are ids of the file, spread over it, of users who do not change in the next export: see laterUser. */
function idsOf(
  kind: keyof typeof firstPlaces,
  { users, count }: { readonly users: number; readonly count: number },
): string[] {
  const hundreds = users / 100;
  return Array.from({ length: count }, (_, n) => {
    if (n >= inFile(count)) return `${kind}-${n}`;
    const hundred = n % hundreds;
    const place = (hundred + firstPlaces[kind] + Math.floor(n / hundreds)) % 100;
    return `legacy-${hundred * 100 + place}`;
  });
}

function record(externalUserId: string): object {
  const email = `${externalUserId.replace('legacy-', 'user-')}@example.com`;
  const hash = { passwordHash: someHash, hashingAlgorithm: 'bcrypt' };
  return { externalUserId, loginMethods: [{ recipeId: 'emailpassword', email, isVerified: true, ...hash }] };
}

/** Linked and disabled users of a former import, and an import that was undone. */
async function addBystanders({ core }: Stand, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `past-${n}`);
  await importRecords(core, ids.map(record));
  await importRecords(
    core,
    ids.map((id) => record(`undone-${id}`)),
  );
  const [listed] = (await sendAll(core, [{ method: 'GET', path: '/bulk-import/jobs?limit=1' }])) as [
    { readonly jobs: readonly [{ readonly id: string }] },
  ];
  await sendAll(core, [{ method: 'POST', path: `/bulk-import/jobs/${listed.jobs[0].id}/undo`, body: {} }]);
  await sendAll(
    core,
    ids.flatMap((userId): JsonRequest[] => [
      { method: 'PUT', path: '/user/restrictions', body: { userId, isDisabled: true } },
      { method: 'POST', path: '/recipe/accountlinking/user/primary', body: { recipeUserId: userId } },
    ]),
  );
  const social = await sendAll(
    core,
    ids.map((id) => ({
      method: 'POST',
      path: '/recipe/signinup',
      rid: 'thirdparty',
      body: {
        thirdPartyId: 'google',
        thirdPartyUserId: id,
        email: { id: `${id}@elsewhere.example.com`, isVerified: true },
      },
    })),
  );
  await sendAll(
    core,
    social.map((answer, n) => {
      const { recipeUserId } = answer as { readonly recipeUserId: string };
      return {
        method: 'POST',
        path: '/recipe/accountlinking/user/link',
        body: { recipeUserId, primaryUserId: ids[n] },
      };
    }),
  );
}

function comparisons(rounds: readonly Round[], users: number, lived: readonly number[]): Measurement[] {
  return lived.flatMap((count) =>
    imports.map((name) =>
      measured(
        {
          name: `bulk-lived-in/${count}/${name}`,
          unit: 'users/s',
          reference: 'the same import into a new app',
          atLeast: 0.9,
          details: { users, lived: count },
        },
        rounds.map((round) => [round.get(count)?.[name] ?? NaN, round.get(0)?.[name] ?? NaN]),
      ),
    ),
  );
}

function inWords(round: Round): string {
  const rate = (each: number): string => Math.round(each).toLocaleString('en');
  return [...round]
    .map(([count, { first, again, delta }]) => `${count}: ${rate(first)}, ${rate(again)}, ${rate(delta)}`)
    .join('; ');
}
