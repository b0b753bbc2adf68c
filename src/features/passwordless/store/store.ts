import type { PasswordlessStore } from '../model.ts';
import type { Batches } from '../../../store/batch/batches.ts';
import type { Database } from '../../../database/database.ts';
import { changeContacts } from './change-contacts.ts';
import {
  addCode,
  conditionOf,
  createDevice,
  findDevice,
  findDeviceByLink,
  listCodes,
  listedDevices,
  type ListedRow,
} from './devices.ts';
import { putPasswordlessUser } from './put-user.ts';
import { removeCode, removeDevices } from './remove.ts';
import { useCode } from './use-code.ts';

/** Codes in use, and the users who sign in by them. */
export function passwordlessStore(batches: Batches, database: Database): PasswordlessStore {
  const find = batches.add(findDevice);
  const findByLink = batches.add(findDeviceByLink);
  return {
    createDevice: batches.add(createDevice),
    addCode: batches.add(addCode),
    findDevice: async (tenant, hash) => (await find({ tenant, hash })) ?? undefined,
    findDeviceByLink: async (tenant, hash, freshFrom) =>
      (await findByLink({ tenant, hash, freshFrom })) ?? undefined,
    useCode: batches.add(useCode),
    list: async ({ appNo, tenantNo }, search) => {
      const [condition, value] = conditionOf(search);
      return listedDevices(await database.read<ListedRow>(listCodes(condition), [appNo, tenantNo, value]));
    },
    removeCode: (tenant, codeId) => removeCode(database, tenant, codeId),
    removeDevices: (tenant, search) => removeDevices(database, tenant, search),
    putUser: batches.add(putPasswordlessUser),
    changeContacts: (change) => changeContacts(database, change),
  };
}
