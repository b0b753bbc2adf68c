import { describe, expect, it } from 'vitest';
import { legacyMark } from '../../src/domain/legacy-mark.ts';
import { parseRecord } from '../../src/imports/record/parse-record.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import type { HeldMethod } from '../../src/imports/parse/types.ts';
import { World } from '../helpers/bulk-world.ts';
import { rules } from '../helpers/bulk-records.ts';
import { knownHash } from '../helpers/people.ts';

/** Users whose password an old system knows: the record names it, and has no hash. */

const marked = (more: object = {}): NativeLoginMethod => ({
  recipeId: 'emailpassword',
  email: 'ada@example.com',
  legacy: 'auth0',
  ...more,
});
const hashed = (passwordHash = knownHash): NativeLoginMethod => ({
  recipeId: 'emailpassword',
  email: 'ada@example.com',
  passwordHash,
});
const user = (method: NativeLoginMethod, id = 'x'): NativeUser => ({
  externalUserId: id,
  loginMethods: [method],
});
const hashOfHere = '$2b$06$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

function problemOf(method: object): string {
  const result = parseRecord(JSON.stringify({ loginMethods: [method] }), rules);
  return result.ok ? 'none' : `${result.reject.field}: ${result.reject.message}`;
}

function imported(record: NativeUser): World {
  const world = new World();
  world.import([record]);
  world.endJob();
  return world;
}

function next(world: World, record: NativeUser, onConflict: 'update' | 'theirs' = 'update') {
  const [decided] = world.import([record], { onConflict });
  world.endJob();
  return decided;
}

function only(world: World): HeldMethod {
  const [first, ...others] = world.methods.values();
  if (first === undefined || others.length > 0) throw new Error('there is not one');
  return first;
}

/** As a first sign-in does, or a reset. */
function move(world: World): void {
  const [id = ''] = world.methods.keys();
  world.change(id, { passwordHash: hashOfHere });
}

describe('a record that names an old system', () => {
  it('is stored with its mark, and counted by its name', () => {
    const result = parseRecord(JSON.stringify({ loginMethods: [marked()] }), rules);
    const method = result.ok ? result.record.methods[0] : undefined;
    expect(method).toMatchObject({ passwordHash: legacyMark('auth0'), hashKind: 'legacy:auth0' });
    expect(next(new World(), user(marked()))?.byKind).toEqual({ 'legacy:auth0': 1 });
  });

  it('has no password in addition, and a name that a source can have', () => {
    expect(problemOf(marked({ passwordHash: knownHash }))).toContain('loginMethods.0.legacy: ');
    expect(problemOf(marked({ legacy: 'Old System' }))).toContain("must be a source's name");
    expect(problemOf({ recipeId: 'emailpassword', email: 'ada@example.com' })).toContain('(legacy)');
  });

  it('cannot be said by a hash', () => {
    expect(problemOf(hashed(legacyMark('auth0')))).toContain('loginMethods.0.passwordHash');
  });
});

describe('imported again', () => {
  it.each(['update', 'theirs'] as const)('does not take a password away that is here (%s)', (rule) => {
    const world = imported(user(marked()));
    move(world);
    expect(next(world, user(marked()), rule)?.counts).toMatchObject({ unchanged: 1 });
    expect(only(world).passwordHash).toBe(hashOfHere);
    expect(next(world, user(marked({ legacy: 'okta', isVerified: true })), rule)?.counts).toMatchObject({
      updated: 1,
    });
    expect(only(world)).toMatchObject({ passwordHash: hashOfHere, isVerified: true });
  });

  it('gives way to a hash that the source gives later, as long as the user has not moved', () => {
    const world = imported(user(marked()));
    expect(next(world, user(hashed()))?.counts).toMatchObject({ updated: 1 });
    expect(only(world).passwordHash).toBe(knownHash);
    expect(next(world, user(marked()))?.counts).toMatchObject({ unchanged: 1 });
    expect(only(world).passwordHash).toBe(knownHash);
  });

  it('names another source for who is not moved yet', () => {
    const world = imported(user(marked()));
    next(world, user(marked({ legacy: 'okta' })));
    expect(only(world).passwordHash).toBe(legacyMark('okta'));
  });

  it('is no evidence that two people with one id are the same', () => {
    const world = imported(user(marked()));
    const decided = next(world, user(marked({ email: 'eve@example.com' })));
    expect(decided?.rejects).toMatchObject([{ line: 1 }]);
    expect(only(world).email).toBe('ada@example.com');
  });
});
