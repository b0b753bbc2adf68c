/** Repeated lines are recognised by their marks: the result equals that of parsing each of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { Job } from '../../src/imports/model.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import { bcryptHash, countsOf, person, type RunOptions, type TestImports } from '../helpers/imports.ts';
import { tablesOf } from '../helpers/merging.ts';
import { pick, type Random, randomOf } from '../helpers/random-records.ts';
import { codesOf, type Engines, openEngines } from '../helpers/semantics.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';

let engines: Engines;
/** The number of recognised lines. */
let known = 0;
const chunkBytes = 5000;
/** By their number of lanes: one that recognises lines, and one that parses each. */
const pairs = new Map<number, readonly TestImports[]>();

beforeAll(async () => {
  engines = await openEngines();
  for (const lanes of [1, 3]) {
    const options = { chunkBytes, lanes };
    // If plain-text passwords are allowed, every line is parsed.
    const parsing = engines.importsOf({ ...options, allowPlainText: true });
    pairs.set(lanes, [engines.importsOf({ ...options, wrap: counting }), parsing]);
  }
});
afterAll(() => engines.dispose());

function counting(chunks: ChunkStore): ChunkStore {
  return {
    transaction: (work) =>
      chunks.transaction((transaction) =>
        work({
          ...transaction,
          recognise: async (chunk) => {
            const recognised = await transaction.recognise(chunk);
            known += recognised?.count ?? 0;
            return recognised;
          },
        }),
      ),
  };
}

const people = 240;

/** The next export of a source: its lines, and the changes of people in them. */
class Source {
  readonly #random: Random;
  #next = people;
  lines = Array.from({ length: people }, (_, n) => JSON.stringify(person(n)));

  constructor(random: Random) {
    this.#random = random;
  }

  change(): void {
    const { lines } = this;
    const at = this.#random(lines.length);
    const other = lines[this.#random(lines.length)] ?? '';
    const line = lines[at] ?? '';
    const inPlace = (text: string): unknown => lines.splice(at, 1, text);
    const somewhere = (text: string): unknown => lines.splice(this.#random(lines.length), 0, text);
    const n = this.#random(20);
    pick<() => unknown>(this.#random, [
      () => inPlace(line.replace(/"\$2b[^"]+"/, `"${bcryptHash(n)}"`)),
      () => inPlace(line.replace(/"email":"[^"]+"/, `"email":"other-${n}@example.com"`)),
      () => inPlace(line.replace('"isVerified":true', '"isVerified":false')),
      () => inPlace(line.replace('{"ext', `{ "userMetadata":{"email":"e${n}"},"ext`)),
      () => inPlace(line.replace(',"loginMethods"', `,"userMetadata":{"level":${n}},"loginMethods"`)),
      () => inPlace(line.replace(',"loginMethods"', ',"isDisabled":false,"loginMethods"')),
      () => inPlace(line.replace(',"loginMethods"', ',"isDisabled":true,"loginMethods"')),
      () => inPlace(line.replace(/"email":"p/, '"email":"P')),
      () =>
        inPlace(
          line.replace('"recipeId":"emailpassword",', '"tenantIds":["public"],"recipeId":"emailpassword",'),
        ),
      () =>
        inPlace(
          line.replace(
            /}]}/,
            `},{"recipeId":"passwordless","email":"${emailIn(other)}","isPrimary":true,"timeJoinedInMSSinceEpoch":1}]}`,
          ),
        ),
      () => inPlace(line.slice(1)),
      () => void lines.splice(at, 1),
      () => somewhere(line),
      () => somewhere(line.replace('legacy-', 'copy-')),
      () => somewhere(line.replace(/"email":"[^"]+"/, `"email":"twin-${n}@example.com"`)),
      () => void lines.splice(at + this.#random(2), 0, line),
      () => void lines.splice(at + this.#random(2), 0, line.replace('legacy-', 'copy-')),
      () => void lines.splice(at + this.#random(2), 0, line.replace('legacy-', 'copy-')),
      () => {
        this.#goBack();
      },
      () => {
        this.#goBack();
      },
      () => {
        this.#goBack();
      },
      () => somewhere(`${line}\r`),
      () => somewhere(' '),
      () => {
        this.#swapEmails(line, other);
      },
      () => somewhere(JSON.stringify(person(this.#next++))),
    ])();
  }

  /** Restores the original values. */
  #goBack(): void {
    for (let n = 0; n < people; n++) {
      const [first, at] = [
        JSON.stringify(person(n)),
        this.lines.findIndex((line) => line.includes(`"legacy-${n}"`)),
      ];
      if (at >= 0) this.lines[at] = first;
      else this.lines.push(first);
    }
  }

  #swapEmails(line: string, other: string): void {
    const [one, two] = [emailIn(line), emailIn(other)];
    const { lines } = this;
    lines[lines.indexOf(line)] = line.replace(one, two);
    if (other !== line) lines[lines.indexOf(other)] = other.replace(two, one);
  }
}

const emailIn = (line: string): string => /"email":"([^"]+@[^"]+)"/.exec(line)?.[1] ?? 'nobody@example.com';

interface Twin {
  readonly imports: TestImports;
  readonly tenant: Tenant;
}

async function outcomeOf({ imports, tenant }: Twin, job: Job): Promise<unknown> {
  const conflicts: unknown[] = [];
  for await (const page of imports.conflicts(tenant, job.id))
    conflicts.push(...page.map(({ line, field, done }) => [line, field, done]));
  const { byKind, byState, physicalLines, postponed, state } = job;
  const { sql } = engines.store;
  return {
    counts: countsOf(job),
    byKind,
    byState,
    physicalLines,
    postponed,
    state,
    conflicts,
    rejects: await codesOf(imports, tenant, job),
    tables: await tablesOf(sql, tenant),
    bases: await sql(
      `select external_id, email, encode(substring(base from 6), 'hex') as base from users
       where app_no = $1 order by external_id, email`,
      [tenant.appNo],
    ),
  };
}

/** As a request does. */
async function changeHere({ tenant }: Twin, externalId: string, change: object): Promise<void> {
  const { appNo } = tenant;
  const [user] = await engines.store.sql<{ user_id: string }>(
    'select user_id from users where app_no = $1 and external_id = $2',
    [appNo, externalId],
  );
  if (user) await engines.store.users.changeUser({ appNo, userId: user.user_id, ...change });
}

const rules: readonly RunOptions[] = [
  ...([{}, {}, {}, { onConflict: 'theirs' }, { onConflict: 'reject' }, { onConflict: 'skip' }] as const),
  { source: 'old', absent: 'disable', absentYes: true },
];

async function changeBoth(twins: readonly Twin[], random: Random): Promise<void> {
  const [what, n, m] = [random(8), random(people), random(people)];
  for (const twin of twins) {
    const { appNo } = twin.tenant;
    if (what < 3) await changeHere(twin, `legacy-${n}`, { passwordHash: bcryptHash(m) });
    else if (what < 6) await changeHere(twin, `legacy-${n}`, { email: `person-${m + 235}@example.com` });
    else if (what === 6) await engines.store.users.removeUser(appNo, `legacy-${n}`, true);
  }
}

/** HISTORIES=200 for more. */
const histories = countOf(longRuns.knownLines);

describe('random exports of a source that goes on', () => {
  it.each(Array.from({ length: histories }, (_, n) => [n + 1, n % 2 === 0 ? 1 : 3]))(
    'come to the same as when each line is parsed (seed %i, %i at once)',
    async (seed, lanes) => {
      const twins: Twin[] = [];
      for (const imports of pairs.get(lanes) ?? [])
        twins.push({ imports, tenant: await engines.store.newApp() });
      const random = randomOf(seed);
      const source = new Source(random);
      for (let round = 0; round < 6; round++) {
        const text = source.lines.map((line) => `${line}\n`).join('');
        const rule = round === 0 ? {} : pick(random, rules);
        const ran = twins.map(async (twin) => {
          const job = await twin.imports.run(twin.tenant, text, { source: 'old', pieceBytes: 3000, ...rule });
          return { job, outcome: await outcomeOf(twin, job) };
        });
        const ended = await Promise.all(ran);
        const outcomes = ended.map(({ outcome }) => outcome);
        expect([round, outcomes[0]]).toEqual([round, outcomes[1]]);
        if (random(4) === 0)
          for (const [n, { imports, tenant }] of twins.entries())
            await imports.undo(tenant, ended[n]?.job.id ?? '', true);
        for (let changes = random(4); changes > 0; changes--) source.change();
        if (random(2) === 0) await changeBoth(twins, random);
      }
    },
    60_000,
  );

  it('and most lines were known by their marks', () => {
    expect(known).toBeGreaterThan(300 * histories);
  });
});
