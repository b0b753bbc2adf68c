/** Existing users: the store's rows, joined into users. */

import { hashMark } from '../../domain/digests.ts';
import type { ExternalHolder, HeldMethod, Holders, IdentityHolder, RemovedMatch } from '../parse/types.ts';

/** A user with all linked login methods. */
export interface HeldUser {
  /** The id of the head, which for a user of one login method is the id of that method. */
  readonly id: string;
  /** undefined when the head's login method was removed and others are left. */
  readonly head: HeldMethod | undefined;
  /** In the order of their ids; never empty. */
  readonly methods: readonly HeldMethod[];
  readonly isPrimary: boolean;
}

export interface Held {
  readonly method: HeldMethod;
  readonly user: HeldUser;
}

/** `Holders`, indexed. */
export interface Index {
  readonly identity: (key: Pick<IdentityHolder, 'record' | 'method' | 'tenantNo' | 'kind'>) => Found;
  readonly external: (record: number) => Found & { readonly isCoreId: boolean };
  readonly hasTenant: (tenantNo: number) => boolean;
  /** Users removed here that the record identifies. */
  readonly removed: (record: number) => readonly string[];
}

export interface Found {
  readonly isClaimed: boolean;
  readonly held: Held | undefined;
  /** The holder whose base states this identity, although it has another one here. */
  readonly former: Held | undefined;
}

export function indexHolders(holders: Holders, removed: readonly RemovedMatch[]): Index {
  const heldById = joinUsers(holders.methods);
  const identities = new Map(holders.identities.map((holder) => [placeOf(holder), holder]));
  const externals = new Map(holders.externals.map((holder) => [holder.record, holder]));
  const tenants = new Set(holders.tenants);
  const gone = Map.groupBy(removed, ({ record }) => record);
  return {
    identity: (key) => found(identities.get(placeOf(key)), heldById),
    external(record) {
      const holder = externals.get(record);
      return { ...found(holder, heldById), isCoreId: holder?.isCoreId === true };
    },
    hasTenant: (tenantNo) => tenants.has(tenantNo),
    removed: (record) => (gone.get(record) ?? []).map(({ person }) => person),
  };
}

function placeOf({
  record,
  method,
  tenantNo,
  kind,
}: Pick<IdentityHolder, 'record' | 'method' | 'tenantNo' | 'kind'>): string {
  return `${record} ${method} ${tenantNo} ${kind}`;
}

function joinUsers(methods: readonly HeldMethod[]): ReadonlyMap<string, Held> {
  const heldById = new Map<string, Held>();
  for (const [id, linked] of Map.groupBy(methods, headOf)) {
    const user: HeldUser = {
      id,
      head: linked.find(({ userId }) => userId === id),
      methods: linked,
      isPrimary: linked.some(({ primaryUserId }) => primaryUserId !== null),
    };
    for (const method of linked) heldById.set(method.userId, { method, user });
  }
  return heldById;
}

function headOf({ userId, primaryUserId }: HeldMethod): string {
  return primaryUserId ?? userId;
}

function found(
  holder: IdentityHolder | ExternalHolder | undefined,
  heldById: ReadonlyMap<string, Held>,
): Found {
  const former = holder && 'formerId' in holder ? holder.formerId : null;
  return {
    isClaimed: holder?.isClaimed === true,
    held: heldOf(holder?.userId ?? null, heldById),
    former: heldOf(former, heldById),
  };
}

function heldOf(userId: string | null, heldById: ReadonlyMap<string, Held>): Held | undefined {
  if (userId === null) return undefined;
  const held = heldById.get(userId);
  if (!held) throw new Error('the holder of a key is missing among the login methods that were read');
  return held;
}

/** Whether a login method has the stated hash, or one that a sign-in made from it. */
export function hasHash({ passwordHash, upgradedFrom }: HeldMethod, stated: string): boolean {
  return passwordHash === stated || (upgradedFrom !== null && hashMark(stated) === upgradedFrom);
}
