import type { OpenStores } from '../../../store/store.ts';
import type { MetadataStore, RoleStore, UserRoleStore } from '../model.ts';
import { metadataStore } from './metadata.ts';
import { roleStore } from './roles.ts';
import { userRoleStore } from './user-roles.ts';

export interface RoleStores {
  readonly roles: RoleStore;
  readonly userRoles: UserRoleStore;
  readonly metadata: MetadataStore;
}

export function openRoleStores(open: OpenStores): RoleStores {
  return {
    roles: open(({ batches, live }) => roleStore(batches, live)),
    userRoles: open(({ batches, live }) => userRoleStore(batches, live)),
    metadata: open(({ live }) => metadataStore(live)),
  };
}
