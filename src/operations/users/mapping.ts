import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type {
  MapUserIdInput,
  RemoveUserIdMapInput,
  UpdateExternalUserIdInfoInput,
  UserIdMapQuery,
} from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { KeptKind, UserIdMapping } from '../ports/mapping.ts';

export interface MappingOperations {
  create(
    tenant: Tenant,
    input: MapUserIdInput,
  ): Promise<{ status: 'OK' } | { status: 'UNKNOWN_SUPERTOKENS_USER_ID_ERROR' } | MappingExists>;
  find(
    tenant: Tenant,
    query: UserIdMapQuery,
  ): Promise<({ status: 'OK' } & UserIdMapping) | { status: 'UNKNOWN_MAPPING_ERROR' }>;
  remove(tenant: Tenant, input: RemoveUserIdMapInput): Promise<{ status: 'OK'; didMappingExist: boolean }>;
  updateInfo(
    tenant: Tenant,
    input: UpdateExternalUserIdInfoInput,
  ): Promise<{ status: 'OK' } | { status: 'UNKNOWN_MAPPING_ERROR' }>;
}

interface MappingExists {
  readonly status: 'USER_ID_MAPPING_ALREADY_EXISTS_ERROR';
  readonly doesSuperTokensUserIdExist: boolean;
  readonly doesExternalUserIdExist: boolean;
}

/**
 * Data of a user moves with its id when a mapping is made or removed. The application may know the user by the id that disappears,
 * so it has to confirm with `force`.
 */
export function mappingOperations({ stores: { mappings }, now }: OperationsContext): MappingOperations {
  return {
    async create({ appNo }, { superTokensUserId, externalUserId, externalUserIdInfo, force }) {
      if (force !== true) refuseKept(await mappings.keptOfUnmapped(appNo, superTokensUserId, now()));
      const info =
        externalUserIdInfo === null || externalUserIdInfo === undefined ? {} : { externalUserIdInfo };
      const result = await mappings.map(appNo, { superTokensUserId, externalUserId, ...info });
      switch (result.outcome) {
        case 'mapped':
          return { status: 'OK' };
        case 'unknown-user':
          return { status: 'UNKNOWN_SUPERTOKENS_USER_ID_ERROR' };
        case 'exists':
          return {
            status: 'USER_ID_MAPPING_ALREADY_EXISTS_ERROR',
            doesSuperTokensUserIdExist: result.userHasMapping,
            doesExternalUserIdExist: result.externalIdHasMapping,
          };
        case 'id-of-a-user':
          throw new Refusal(
            'INVALID_FIELD',
            "Field name 'externalUserId' is invalid in JSON input: it is the core's own id of a user",
          );
      }
    },

    async find({ appNo }, { userId, userIdType = 'ANY' }) {
      const mapping = await mappings.find(appNo, userId, userIdType);
      return mapping ? { status: 'OK', ...mapping } : { status: 'UNKNOWN_MAPPING_ERROR' };
    },

    async remove({ appNo }, { userId, userIdType = 'ANY', force }) {
      if (force !== true) refuseKept(await mappings.keptOfMapped(appNo, userId, userIdType, now()));
      return { status: 'OK', didMappingExist: await mappings.unmap(appNo, userId, userIdType) };
    },

    async updateInfo({ appNo }, { userId, userIdType = 'ANY', externalUserIdInfo }) {
      const exists = await mappings.setInfo(appNo, userId, userIdType, externalUserIdInfo);
      return { status: exists ? 'OK' : 'UNKNOWN_MAPPING_ERROR' };
    },
  };
}

/** Callers look for the first words, which the driver interface defines. */
function refuseKept(kind: KeptKind | undefined): void {
  if (kind === undefined) return;
  throw new Refusal(
    'INVALID_FIELD',
    `UserId is already in use in ${kind} recipe: give 'force' as true, and what is kept goes along`,
  );
}
