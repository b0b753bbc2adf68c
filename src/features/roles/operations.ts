import type { FeatureParts } from '../feature.ts';
import { type MetadataOperations, metadataOperations } from './metadata.ts';
import { type RoleOperations, roleOperations } from './roles.ts';
import { openRoleStores } from './store/store.ts';

export interface RoleFeature {
  readonly roles: RoleOperations;
  readonly metadata: MetadataOperations;
}

export function openRoles({ context: { stores }, openStores }: FeatureParts): RoleFeature {
  const context = { ...openRoleStores(openStores), details: stores.details };
  return { roles: roleOperations(context), metadata: metadataOperations(context) };
}
