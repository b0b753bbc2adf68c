/** A user, as the console's own routes show it. */
import type { Reason } from '../../model.ts';
import type { AuditEntry } from '../history-page.tsx';

export type { Reason };

/** The part of the core's own type that pages need: that one has types of Node, which browsers lack. */
export interface LoginMethod {
  readonly recipeId: 'emailpassword' | 'thirdparty' | 'passwordless';
  readonly recipeUserId: string;
  readonly timeJoined: number;
  readonly verified: boolean;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly thirdParty?: { readonly id: string; readonly userId: string };
}

export interface User {
  readonly id: string;
  readonly tenantIds: readonly string[];
  readonly timeJoined: number;
  readonly emails: readonly string[];
  readonly phoneNumbers: readonly string[];
  readonly loginMethods: readonly LoginMethod[];
}

export interface MethodFacts {
  readonly id: string;
  readonly coreId: string;
  readonly importJob: string | null;
  readonly hashKind?: string;
  readonly oldSystem?: string;
  readonly signedInAt: number | null;
  readonly provenAt: number | null;
  readonly refusedAt: number | null;
  readonly refusals: number;
  readonly upgradedAt: number | null;
  readonly passwordChangedAt: number | null;
}

export interface Person {
  readonly status: 'OK';
  readonly user: User;
  readonly methods: readonly MethodFacts[];
  readonly reasons: readonly Reason[];
  readonly history: readonly AuditEntry[];
}

export const unknownUser = 'UNKNOWN_USER_ID_ERROR';

export function methodName({ recipeId, thirdParty }: LoginMethod): string {
  if (recipeId === 'emailpassword') return 'Password';
  return recipeId === 'thirdparty' ? (thirdParty?.id ?? 'Provider') : 'Code or link';
}
