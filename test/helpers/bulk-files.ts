/** Files with every kind of record, for imports that are disturbed. */
import type { NativeUser } from '../../src/bulk/native.ts';
import { bcryptHash, person, textOf } from './imports.ts';

const joined = (n: number) => ({ timeJoinedInMSSinceEpoch: 1_704_067_200_000 + n });

/** Of 20 neighbours in the file: who is there already, and how the file has them. */
const known = 6;
const stepsOf20 = 20;

/** Who is there before the import: 6 of 20 lines meet them. */
export function residents(lines: number): NativeUser[] {
  return Array.from({ length: lines }, (_, n) => n).flatMap((n) =>
    n % stepsOf20 < known ? [person(n)] : [],
  );
}

/** A line of each kind: see the comments. `tenant` is a second tenant of the app. */
function lineOf(n: number, tenant: string): NativeUser | string {
  const email = `person-${n}@example.com`;
  const passwordless = { recipeId: 'passwordless', ...joined(n) } as const;
  const password = { recipeId: 'emailpassword', email, passwordHash: bcryptHash(n), ...joined(n) } as const;
  const social = {
    recipeId: 'thirdparty',
    email,
    thirdPartyId: 'google',
    thirdPartyUserId: `g-${n}`,
    ...joined(n),
  } as const;
  const phoneNumber = `+1555${String(n).padStart(7, '0')}`;
  switch (n % stepsOf20) {
    case 0: // there, and just so
    case 1:
      return person(n);
    case 2: // there, with another hash
      return {
        externalUserId: `legacy-${n}`,
        loginMethods: [{ ...password, passwordHash: bcryptHash(n + 7) }],
      };
    case 3: // there, with another email: a key moves
      return {
        externalUserId: `legacy-${n}`,
        loginMethods: [{ ...password, email: `moved-${n}@example.com` }],
      };
    case 4: // there, now with another login method and details
      return { ...person(n), userMetadata: { n }, loginMethods: [{ ...password, isPrimary: true }, social] };
    case 5: // there under another external id: refused
      return { externalUserId: `other-${n}`, loginMethods: [password] };
    case 6: // the email of somebody who moved away earlier, or who has not been there
      return {
        externalUserId: `heir-${n}`,
        loginMethods: [{ ...password, email: `person-${n - 1003}@example.com` }],
      };
    case 7: // the same email as some lines, and perhaps chunks, before
      return {
        externalUserId: `twin-${n}`,
        loginMethods: [{ ...password, email: `person-${n - 40 - Math.floor(n / 3)}@example.com` }],
      };
    case 8: // the same line as long before
      return person(Math.max(n - 600 - (n % 60) + 9, 9));
    case 9:
      return person(n, { userMetadata: { note: 'x'.repeat(n % 200) }, userRoles: [{ role: 'admin' }] });
    case 10: // two methods, linked, the second of two tenants
      return {
        externalUserId: `linked-${n}`,
        totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP', period: 30, skew: 1, deviceName: 'phone' }],
        loginMethods: [social, { ...password, isPrimary: true, tenantIds: ['public', tenant] }],
      };
    case 11:
      return { loginMethods: [{ ...passwordless, phoneNumber }] };
    case 12:
      return {
        externalUserId: `both-${n}`,
        loginMethods: [{ ...passwordless, email, phoneNumber, isVerified: true }],
      };
    case 13:
      return { externalUserId: `social-${n}`, loginMethods: [social] };
    case 14: // refused: no JSON
      return `{"externalUserId":"broken-${n}","loginMethods":[`;
    case 15: // refused: no such tenant
      return { loginMethods: [{ ...password, tenantIds: ['nowhere'] }] };
    default:
      return person(n, { externalUserId: `new-${n}` });
  }
}

/** So many lines of every kind, blank ones and carriage returns among them. The last line has no line end. */
export function mixedFile(lines: number, tenant: string): Buffer {
  const texts = Array.from({ length: lines }, (_, n) => {
    const text = textOf([lineOf(n, tenant)]);
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
