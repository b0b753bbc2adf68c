/** Records at random, the same for the same seed: with few names, so that they meet. */
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import { bcryptHash } from './imports.ts';
import { randomNumbers } from './mutations.ts';

export type Random = (bound: number) => number;

/** Neighbouring seeds begin alike. */
export function randomOf(seed: number): Random {
  const random = randomNumbers(seed * 0x9e3779b1);
  for (let skipped = 0; skipped < 10; skipped++) random(1);
  return random;
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}

/** Login methods of one tenant and key are the most common. @param other a second tenant's name */
export function randomRecord(random: Random, other: string, names: number): NativeUser {
  const count = pick(random, [1, 1, 1, 1, 1, 2, 3]);
  return {
    ...(random(3) > 0 && { externalUserId: `x${random(names)}` }),
    ...(random(5) === 0 && { userMetadata: { level: random(2) } }),
    ...(random(8) === 0 && { userRoles: [{ role: `r${random(2)}` }] }),
    loginMethods: Array.from({ length: count }, () => randomMethod(random, other, names)),
  };
}

export function randomRecords(random: Random, other: string, count: number, names = count): NativeUser[] {
  return Array.from({ length: count }, () => randomRecord(random, other, names));
}

function randomMethod(random: Random, other: string, names: number): NativeLoginMethod {
  const tenantIds = pick(random, [undefined, undefined, undefined, [other], ['public', other]]);
  const n = random(names);
  const email = `e${n}@example.com`;
  const common = {
    ...(tenantIds && { tenantIds }),
    ...(random(3) === 0 && { isVerified: random(2) === 0 }),
    ...(random(5) === 0 && { isPrimary: true }),
    timeJoinedInMSSinceEpoch: 1_000_000 + n,
  };
  const recipe = random(6);
  if (recipe === 0)
    return { ...common, recipeId: 'thirdparty', email, thirdPartyId: 'google', thirdPartyUserId: `g${n}` };
  if (recipe > 1)
    return { ...common, recipeId: 'emailpassword', email, passwordHash: bcryptHash(random(8) ? n : n + 1) };
  const phone = { phoneNumber: `+4915112345${100 + n}` };
  const isPhone = random(2) === 0;
  return {
    ...common,
    recipeId: 'passwordless',
    ...(isPhone ? phone : { email }),
    ...(random(3) ? {} : phone),
  };
}
