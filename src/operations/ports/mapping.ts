export type UserIdType = 'ANY' | 'SUPERTOKENS' | 'EXTERNAL';

export interface UserIdMapping {
  readonly superTokensUserId: string;
  readonly externalUserId: string;
  readonly externalUserIdInfo?: string;
}

export type MapOutcome =
  | { readonly outcome: 'mapped' | 'unknown-user' | 'id-of-a-user' }
  | { readonly outcome: 'exists'; readonly userHasMapping: boolean; readonly externalIdHasMapping: boolean };

/** Kinds of data of a user in addition to login methods, as the driver interface names them. */
export type KeptKind = 'UserMetadata' | 'UserRoles' | 'Session' | 'TOTP';

export interface MappingStore {
  /** Data of a user without an external id. */
  keptOfUnmapped(appNo: number, coreId: string, now: number): Promise<KeptKind | undefined>;
  keptOfMapped(appNo: number, id: string, type: UserIdType, now: number): Promise<KeptKind | undefined>;
  map(appNo: number, mapping: UserIdMapping): Promise<MapOutcome>;
  find(appNo: number, id: string, type: UserIdType): Promise<UserIdMapping | undefined>;
  unmap(appNo: number, id: string, type: UserIdType): Promise<boolean>;
  setInfo(appNo: number, id: string, type: UserIdType, info: string | null): Promise<boolean>;
}
