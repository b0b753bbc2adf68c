export type UserIdType = 'ANY' | 'SUPERTOKENS' | 'EXTERNAL';

export interface UserIdMapping {
  readonly superTokensUserId: string;
  readonly externalUserId: string;
  readonly externalUserIdInfo?: string;
}

export type MapOutcome =
  | { readonly outcome: 'mapped' | 'unknown-user' | 'id-of-a-user' }
  | { readonly outcome: 'exists'; readonly userHasMapping: boolean; readonly externalIdHasMapping: boolean };

/** What is stored of a user in addition to login methods, in the words of the driver interface. */
export type KeptKind = 'UserMetadata' | 'UserRoles' | 'Session' | 'TOTP';

export interface MappingStore {
  /** What is kept of a user without an external id. */
  keptOfUnmapped(appNo: number, coreId: string, now: number): Promise<KeptKind | undefined>;
  keptOfMapped(appNo: number, id: string, type: UserIdType, now: number): Promise<KeptKind | undefined>;
  map(appNo: number, mapping: UserIdMapping): Promise<MapOutcome>;
  find(appNo: number, id: string, type: UserIdType): Promise<UserIdMapping | undefined>;
  unmap(appNo: number, id: string, type: UserIdType): Promise<boolean>;
  setInfo(appNo: number, id: string, type: UserIdType, info: string | null): Promise<boolean>;
}
