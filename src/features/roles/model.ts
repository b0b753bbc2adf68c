/** Ids of users are any texts that callers use. */
import type { Tenant } from '../../domain/model.ts';
import type { Metadata } from '../../operations/ports/ports.ts';

export interface NewRole {
  readonly appNo: number;
  readonly role: string;
  readonly permissions: readonly string[];
}

export interface RoleStore {
  /** Creates the role, or adds the permissions to it. @returns whether it is new */
  put(role: NewRole): Promise<boolean>;
  /** @returns whether the role existed. Its assignments end. */
  remove(appNo: number, role: string): Promise<boolean>;
  list(appNo: number): Promise<string[]>;
  /** @returns undefined when the role does not exist */
  permissions(appNo: number, role: string): Promise<readonly string[] | undefined>;
  /** @param permissions all when left out. @returns whether the role exists */
  removePermissions(appNo: number, role: string, permissions?: readonly string[]): Promise<boolean>;
  rolesWith(appNo: number, permission: string): Promise<string[]>;
}

export interface RoleOfUser {
  readonly tenant: Tenant;
  readonly userId: string;
  readonly role: string;
}

export type AssignedRole = 'changed' | 'as-before' | 'unknown-role';

/** The roles of users by tenant. */
export interface UserRoleStore {
  assign(role: RoleOfUser): Promise<AssignedRole>;
  take(role: RoleOfUser): Promise<AssignedRole>;
  /** @returns ids as callers know them; undefined when the role does not exist */
  users(tenant: Tenant, role: string): Promise<readonly string[] | undefined>;
}

/** Metadata of login methods, and of texts that are not the id of a user. */
export interface MetadataStore {
  /** Sets and removes keys at the top. @returns all of it */
  merge(change: MetadataChange): Promise<Metadata>;
  remove(appNo: number, userId: string): Promise<void>;
}

export interface MetadataChange {
  readonly appNo: number;
  readonly userId: string;
  readonly set: Metadata;
  readonly removed: readonly string[];
}
