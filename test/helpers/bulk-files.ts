/** Files with every kind of record, for disturbed imports. */
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { bcryptHash, person, textOf } from './imports.ts';

const joined = (n: number) => ({ timeJoinedInMSSinceEpoch: 1_704_067_200_000 + n });

/** Of 20 adjacent lines: those of existing users. */
const known = 6;
const cycle = 20;

/** Users from before the import: 6 of 20 lines meet them. */
export function residents(lines: number): NativeUser[] {
  return Array.from({ length: lines }, (_, n) => n).flatMap((n) => (n % cycle < known ? [person(n)] : []));
}

const email = (n: number): string => `person-${n}@example.com`;
const phoneNumber = (n: number): string => `+1555${String(n).padStart(7, '0')}`;
const password = (n: number) =>
  ({ recipeId: 'emailpassword', email: email(n), passwordHash: bcryptHash(n), ...joined(n) }) as const;
const google = { recipeId: 'thirdparty', thirdPartyId: 'google' } as const;
const social = (n: number) => ({ ...google, email: email(n), thirdPartyUserId: `g-${n}`, ...joined(n) });
const passwordless = (n: number) => ({ recipeId: 'passwordless', ...joined(n) }) as const;

type Line = (n: number, tenant: string) => NativeUser | string;

const sameAsThere: Line = (n) => person(n);
const newcomer: Line = (n) => person(n, { externalUserId: `new-${n}` });

/** The kind of each of 20 lines; the first `known` meet residents, the others are new users. */
const kinds: readonly Line[] = [
  sameAsThere,
  sameAsThere,
  // Another hash.
  (n) => ({
    externalUserId: `legacy-${n}`,
    loginMethods: [{ ...password(n), passwordHash: bcryptHash(n + 7) }],
  }),
  // Another email: a key moves.
  (n) => ({
    externalUserId: `legacy-${n}`,
    loginMethods: [{ ...password(n), email: `moved-${n}@example.com` }],
  }),
  // One more login method, and details.
  (n) => ({
    ...person(n),
    userMetadata: { n },
    loginMethods: [{ ...password(n), isPrimary: true }, social(n)],
  }),
  // Another external id: refused.
  (n) => ({ externalUserId: `other-${n}`, loginMethods: [password(n)] }),
  // The email of a user who moved away a thousand lines before, or of a stranger.
  (n) => ({ externalUserId: `heir-${n}`, loginMethods: [{ ...password(n), email: email(n - 1003) }] }),
  // The email of an earlier line, perhaps in an earlier chunk.
  (n) => ({
    externalUserId: `twin-${n}`,
    loginMethods: [{ ...password(n), email: email(n - 40 - Math.floor(n / 3)) }],
  }),
  // A much earlier line.
  (n) => person(Math.max(n - 600 - (n % 60) + 9, 9)),
  (n) => person(n, { userMetadata: { note: 'x'.repeat(n % 200) }, userRoles: [{ role: 'admin' }] }),
  // Two methods, linked, the second of two tenants.
  (n, tenant) => ({
    externalUserId: `linked-${n}`,
    totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP', period: 30, skew: 1, deviceName: 'phone' }],
    loginMethods: [social(n), { ...password(n), isPrimary: true, tenantIds: ['public', tenant] }],
  }),
  (n) => ({ loginMethods: [{ ...passwordless(n), phoneNumber: phoneNumber(n) }] }),
  (n) => ({
    externalUserId: `both-${n}`,
    loginMethods: [{ ...passwordless(n), email: email(n), phoneNumber: phoneNumber(n), isVerified: true }],
  }),
  (n) => ({ externalUserId: `social-${n}`, loginMethods: [social(n)] }),
  // Invalid JSON: refused.
  (n) => `{"externalUserId":"broken-${n}","loginMethods":[`,
  // An unknown tenant: refused.
  (n) => ({ loginMethods: [{ ...password(n), tenantIds: ['nowhere'] }] }),
];

/**
 * This number of lines of every kind, with blank ones and carriage returns among them. The last line has no line end.
 * @param tenant a second one of the app
 */
export function mixedFile(lines: number, tenant: string): Buffer {
  const texts = Array.from({ length: lines }, (_, n) => {
    const text = textOf([(kinds[n % cycle] ?? newcomer)(n, tenant)]);
    return n % 97 === 5 ? `\n${text}` : n % 89 === 5 ? text.replace('\n', '\r\n') : text;
  });
  return Buffer.from(texts.join('').trimEnd());
}

/** Numbers that look random and are the same for the same seed: mulberry32 by Tommy Ettinger, public domain. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The same elements in another order. */
export function shuffled<T>(elements: readonly T[], random: () => number): T[] {
  const order = elements.map((element) => ({ element, place: random() }));
  return order.sort((a, b) => a.place - b.place).map(({ element }) => element);
}
