import type { LoginMethod, User } from './model.ts';

/**
 * @param id the user's id as the caller sees it
 * @param methods in any order
 */
export function assembleUser(id: string, isPrimaryUser: boolean, methods: readonly LoginMethod[]): User {
  const loginMethods = methods.toSorted((a, b) => a.timeJoined - b.timeJoined);
  return {
    id,
    isPrimaryUser,
    tenantIds: unique(loginMethods.flatMap((method) => method.tenantIds)),
    timeJoined: loginMethods[0]?.timeJoined ?? 0,
    emails: unique(loginMethods.flatMap(({ email }) => email ?? [])),
    phoneNumbers: unique(loginMethods.flatMap(({ phoneNumber }) => phoneNumber ?? [])),
    thirdParty: loginMethods.flatMap(({ thirdParty }) => thirdParty ?? []),
    webauthn: { credentialIds: [] },
    loginMethods,
  };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
