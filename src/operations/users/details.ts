import type { Tenant } from '../../domain/model.ts';
import type { ListDevicesQuery, UserIdQuery } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { UserDevice } from '../ports/ports.ts';

export interface DetailsOperations {
  /** Names of the roles that the user has in this tenant, each once. None for a user who is not known. */
  roles(tenant: Tenant, query: UserIdQuery): Promise<{ status: 'OK'; roles: string[] }>;
  /** Without their secrets. None for a user who has none, or is not known. */
  devices(
    tenant: Tenant,
    query: ListDevicesQuery,
  ): Promise<{ status: 'OK'; devices: readonly ListedDevice[] }>;
}

export interface ListedDevice {
  readonly name: string;
  /** Seconds. */
  readonly period: number;
  readonly skew: number;
  readonly verified: boolean;
}

/** A role that names no tenants belongs to the public one, as a login method does that names none. */
const defaultTenants = ['public'];

export function detailsOperations({ stores: { details } }: OperationsContext): DetailsOperations {
  return {
    async roles({ appNo, tenantId }, { userId }) {
      const { roles = [] } = (await details.find(appNo, userId)) ?? {};
      const here = roles.filter(({ tenantIds = defaultTenants }) => tenantIds.includes(tenantId));
      return { status: 'OK', roles: [...new Set(here.map(({ role }) => role))] };
    },

    async devices({ appNo }, { userId }) {
      const { totpDevices = [] } = (await details.find(appNo, userId)) ?? {};
      return { status: 'OK', devices: listed(totpDevices) };
    },
  };
}

/** Devices come from imports only, and were proved at the source. The defaults are those of the SDKs. */
function listed(devices: readonly UserDevice[]): ListedDevice[] {
  const names = new Set(devices.flatMap(({ deviceName }) => deviceName ?? []));
  let number = 0;
  const nextName = (): string => {
    let name = `TOTP Device ${number++}`;
    while (names.has(name)) name = `TOTP Device ${number++}`;
    return name;
  };
  return devices.map(({ deviceName, period = 30, skew = 1 }) => {
    return { name: deviceName ?? nextName(), period, skew, verified: true };
  });
}
