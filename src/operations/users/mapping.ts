import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type {
  MapUserIdInput,
  RemoveUserIdMapInput,
  UpdateExternalUserIdInfoInput,
  UserIdMapQuery,
} from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { UserIdMapping } from '../ports/ports.ts';

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
 * `force` is accepted and changes nothing: elsewhere it overrides the refusal to map an id that other data refers to,
 * and here that data moves with the mapping.
 */
export function mappingOperations({ stores: { mappings } }: OperationsContext): MappingOperations {
  return {
    async create({ appNo }, { superTokensUserId, externalUserId, externalUserIdInfo }) {
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

    async remove({ appNo }, { userId, userIdType = 'ANY' }) {
      return { status: 'OK', didMappingExist: await mappings.unmap(appNo, userId, userIdType) };
    },

    async updateInfo({ appNo }, { userId, userIdType = 'ANY', externalUserIdInfo }) {
      const exists = await mappings.setInfo(appNo, userId, userIdType, externalUserIdInfo);
      return { status: exists ? 'OK' : 'UNKNOWN_MAPPING_ERROR' };
    },
  };
}
