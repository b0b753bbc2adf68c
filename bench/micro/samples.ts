import { loadConfig } from '../../src/config/load.ts';
import type { HashLimits, User } from '../../src/domain/model.ts';

/** Well formed; no user signs in with it. */
export const bcryptHash = '$2b$10$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

/** The ceilings of a core without configuration. */
export function defaultLimits(): HashLimits {
  return loadConfig({ environment: {} }).defaults.hashLimits;
}

const firstJoin = Date.UTC(2020, 0, 1);

/** A user with a password, an external id and a verified email, as a line of an import. */
export function nativeLine(n: number): string {
  const method = {
    recipeId: 'emailpassword',
    email: `user-${n}@example.com`,
    passwordHash: bcryptHash,
    hashingAlgorithm: 'bcrypt',
    isVerified: true,
    timeJoinedInMSSinceEpoch: firstJoin + n,
  };
  return `${JSON.stringify({ externalUserId: `legacy-${n}`, loginMethods: [method] })}\n`;
}

/** The most whole lines that fit. */
export function nativeLines(bytes: number): { readonly text: Buffer; readonly count: number } {
  const lines: string[] = [];
  for (let length = 0; ;) {
    const line = nativeLine(lines.length);
    length += line.length;
    if (length > bytes) return { text: Buffer.from(lines.join('')), count: lines.length };
    lines.push(line);
  }
}

/** The answer to a sign-in. */
export const user: User = {
  id: '018cc251-f400-7000-8000-000000000000',
  isPrimaryUser: false,
  tenantIds: ['public'],
  timeJoined: firstJoin,
  emails: ['ada.lovelace@example.com'],
  phoneNumbers: [],
  thirdParty: [],
  webauthn: { credentialIds: [] },
  loginMethods: [
    {
      recipeId: 'emailpassword',
      recipeUserId: '018cc251-f400-7000-8000-000000000000',
      tenantIds: ['public'],
      timeJoined: firstJoin,
      verified: true,
      email: 'ada.lovelace@example.com',
    },
  ],
};
