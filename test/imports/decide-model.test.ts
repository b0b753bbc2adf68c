import { describe, expect, it } from 'vitest';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import { onConflicts } from '../../src/imports/model.ts';
import type { OnConflict } from '../../src/imports/model.ts';
import { parseRecord } from '../../src/imports/record/parse-record.ts';
import type { Decided, HeldMethod } from '../../src/imports/parse/types.ts';
import { identitiesOf, claimsOf, placeOf, rowsOf, rulesOf, single, World } from '../helpers/bulk-world.ts';
import { randomNumbers } from '../helpers/mutations.ts';
import { knownHash } from '../helpers/people.ts';

/** Random records against random users: with few names, so that they meet. A failure names its seed. */

const seeds = Array.from({ length: 40 }, (_, seed) => seed + 1);

type Random = (bound: number) => number;

/** Neighbouring seeds begin alike. */
function randomOf(seed: number): Random {
  const random = randomNumbers(seed * 0x9e3779b1);
  for (let skipped = 0; skipped < 10; skipped++) random(1);
  return random;
}

/** `update` has the most interesting cases. */
const modes: readonly OnConflict[] = ['update', ...onConflicts];

const hashes = [knownHash, '$2b$05$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2'];
const tenantLists = [
  undefined,
  undefined,
  undefined,
  ['public'],
  ['acme'],
  ['public', 'acme'],
  ['globex', 'acme', 'public'],
];

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

function randomMethod(random: Random): NativeLoginMethod {
  const tenantIds = pick(random, tenantLists);
  const common = {
    ...(tenantIds && { tenantIds }),
    ...(random(3) === 0 && { isVerified: random(2) === 0 }),
    ...(random(3) === 0 && { isPrimary: true }),
    timeJoinedInMSSinceEpoch: 1 + random(1_000_000),
  };
  const email = `e${random(14)}@x.com`;
  const recipe = random(4);
  if (recipe === 0) {
    const thirdPartyId = pick(random, ['google', 'apple']);
    return { ...common, recipeId: 'thirdparty', email, thirdPartyId, thirdPartyUserId: `t${random(5)}` };
  }
  if (recipe > 1) return { ...common, recipeId: 'emailpassword', email, passwordHash: pick(random, hashes) };
  const phone = { phoneNumber: `+491511234567${random(6)}` };
  return {
    ...common,
    recipeId: 'passwordless',
    ...(random(2) === 0 ? { email } : phone),
    ...(random(3) === 0 && phone),
  };
}

function randomRecord(random: Random): NativeUser {
  const loginMethods = Array.from({ length: pick(random, [1, 1, 1, 1, 2, 3]) }, () => randomMethod(random));
  const record = {
    ...(random(3) > 0 && { externalUserId: `x${random(5)}` }),
    ...(random(4) === 0 && { userMetadata: { level: random(2) } }),
    ...(random(6) === 0 && { userRoles: [{ role: `r${random(2)}` }] }),
    loginMethods,
  };
  // Each record of a task is valid alone.
  return parseRecord(JSON.stringify(record), rulesOf()).ok ? record : randomRecord(random);
}

/** As a chunk has them: no two with the same key. */
function randomRecords(random: Random, count: number): NativeUser[] {
  const seen = new Set<string>();
  return Array.from({ length: count }, () => randomRecord(random)).filter((record) => {
    const places = claimsOf(record).map(placeOf);
    if (places.some((place) => seen.has(place))) return false;
    for (const place of places) seen.add(place);
    return true;
  });
}

/** Users as some imports left them, one of which is this job's. */
function randomWorld(random: Random): World {
  const world = new World();
  for (let job = 0; job < 2 + random(3); job++) {
    world.endJob();
    world.import(randomRecords(random, 6));
  }
  if (random(4) > 0) world.endJob();
  if (random(8) === 0) world.tenantNos = [0, 1];
  return world;
}

/** Everything but ids, which are random: the user of each identity, and the links. */
function described(world: World): unknown {
  const headOf = ({ userId, primaryUserId }: HeldMethod): string => primaryUserId ?? userId;
  const users = Map.groupBy(world.methods.values(), headOf).values();
  const textOf = ({ userId, primaryUserId, ...method }: HeldMethod): string =>
    JSON.stringify({ ...method, isPrimary: primaryUserId !== null, isHead: primaryUserId === userId });
  return Array.from(users, (methods) => methods.map(textOf).sort().join(' + ')).sort();
}

function baseOf(world: World, id: string): unknown {
  return world.methods.get(id)?.base;
}

/** Properties of the users that must hold at any time. */
function expectSound(world: World): void {
  for (const [place, id] of world.identities) {
    const method = world.methods.get(id);
    expect(method && identitiesOf(method).map(({ kind, key }) => `${kind} ${key}`)).toContain(
      place.split(' ').slice(1).join(' '),
    );
  }
  const methods = [...world.methods.values()];
  const externalIds = methods.flatMap(({ externalId }) => externalId ?? []);
  expect(new Set(externalIds).size).toBe(externalIds.length);
  for (const { primaryUserId, tenants } of methods) {
    expect(tenants).not.toEqual([]);
    if (primaryUserId !== null) expect(world.methods.get(primaryUserId)?.primaryUserId).toBe(primaryUserId);
  }
}

function expectConsistent(records: readonly NativeUser[], decided: Decided): void {
  const { counts, rejects, deferred, changes, claims } = decided;
  const decidedCount = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(decidedCount + rejects.length + deferred.length).toBe(records.length);
  const refused = new Set([...rejects.map(({ line }) => line - 1), ...deferred]);
  const written = records.filter((_, ordinal) => !refused.has(ordinal));
  const stated = new Set(written.flatMap(claimsOf).map(placeOf));
  for (const { tenantNo, kind, key } of rowsOf({ ...changes.identities }))
    expect(stated).toContain(`${tenantNo} ${kind} ${key}`);
  const claimable = records
    .filter((_, ordinal) => !deferred.includes(ordinal))
    .flatMap(claimsOf)
    .map(placeOf);
  expect(claims.map(placeOf).filter((place) => !claimable.includes(place))).toEqual([]);
  expect(decided.movesKeys).toBe(changes.removedIdentities.count > 0);
  if (written.length > 0) return;
  const { takenOver, ...columns } = changes;
  expect([takenOver, Object.values(columns).filter(({ count }) => count > 0)]).toEqual([[], []]);
}

function total(rounds: readonly Decided[]): unknown {
  const sum = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
  for (const { counts } of rounds) {
    sum.created += counts.created;
    sum.updated += counts.updated;
    sum.unchanged += counts.unchanged;
    sum.skipped += counts.skipped;
  }
  // Users have other ids in each world.
  const byLine = rounds
    .flatMap(({ rejects }) => rejects)
    .map(({ otherUserId, ...reject }) => ({ ...reject, namesOther: otherUserId !== undefined }))
    .sort((a, b) => a.line - b.line);
  const kinds = rounds.reduce((count, { byKind }) => count + (byKind.bcrypt ?? 0), 0);
  return { ...sum, rejects: byLine, kinds };
}

describe('random records against random users', () => {
  it.each(seeds)('are decided each once, and only what they state is written (seed %i)', (seed) => {
    const random = randomOf(seed);
    const world = randomWorld(random);
    const records = randomRecords(random, 12);
    const onConflict = pick(random, modes);
    const decided = world.decide(records, { onConflict });
    expectConsistent(records, decided);
    const before = new Map(world.methods);
    world.write(decided);
    expectSound(world);
    for (const [id, { timeJoined, email, isVerified }] of before) {
      const after = world.methods.get(id);
      expect(after?.timeJoined).toBe(timeJoined);
      if (isVerified && after?.email === email) expect(after.isVerified).toBe(true);
    }
    if (onConflict === 'skip' || onConflict === 'reject') {
      expect(decided.changes.removedIdentities.count).toBe(0);
      // The record's statements are stored for unchanged users.
      for (const [id, method] of before)
        expect(world.methods.get(id)).toEqual({ ...method, base: baseOf(world, id) });
    }
  });

  it.each(seeds)('end as if each were a task of its own (seed %i)', (seed) => {
    const world = randomWorld(randomOf(seed));
    const twin = randomWorld(randomOf(seed));
    expect(described(twin)).toEqual(described(world));
    const random = randomOf(seed + 1_000_000);
    const records = randomRecords(random, 12);
    const rules = { onConflict: pick(random, modes) };
    const together = world.import(records, rules);
    const apart = records.map((record, ordinal) => {
      const decided = twin.decideSingles([single(record, ordinal, ordinal + 1)], rulesOf(rules));
      twin.write(decided);
      return decided;
    });
    expect(total(together)).toEqual(total(apart));
    expect(described(world)).toEqual(described(twin));
  });

  it.each(seeds)('are unchanged when they come again (seed %i)', (seed) => {
    const random = randomOf(seed);
    const world = randomWorld(random);
    for (const record of randomRecords(random, 12)) {
      world.endJob();
      const [first] = world.import([record]);
      const state = described(world);
      world.endJob();
      const [second] = world.import([record], { onConflict: 'reject' });
      // A record without evidence of its owner leaves no trace, so it is asked about again.
      const isStranger = first?.conflicts.some(({ source }) => source === 'not verified at the source');
      if (isStranger === true)
        expect((second?.counts.unchanged ?? 0) + (second?.rejects.length ?? 0)).toBe(1);
      else if (first?.rejects.length === 0) expect(second?.counts).toMatchObject({ unchanged: 1 });
      else expect(second?.rejects).toHaveLength(1);
      world.endJob();
      expect(described(world)).toEqual(stateWithoutJob(state));
    }
  });
});

/** As once the job is over. */
function stateWithoutJob(state: unknown): unknown {
  return (state as string[])
    .map((each) => each.replaceAll('"isOfThisJob":true', '"isOfThisJob":false'))
    .sort();
}
