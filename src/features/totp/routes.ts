import type { TotpOperations } from './operations.ts';
import { body, query } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import { totpBodies, totpQueries } from './schema.ts';

const inBody = bodyForms(totpBodies);
const inQuery = queryForms(totpQueries);
const tag = 'TOTP';
const needs = ['sign-in'] as const;
const path = '/recipe/totp';
const unknown = 'UNKNOWN_DEVICE_ERROR';
const exists = 'DEVICE_ALREADY_EXISTS_ERROR';
const wrong = ['INVALID_TOTP_ERROR', 'LIMIT_REACHED_ERROR'];

/** Devices that generate one-time codes, and the codes. */
export function totpRoutes(totp: TotpOperations): Route[] {
  return [...deviceRoutes(totp), ...codeRoutes(totp)];
}

function deviceRoutes(totp: TotpOperations): Route[] {
  return [
    {
      method: 'POST',
      path: `${path}/device`,
      scope: 'app',
      tag,
      statuses: ['OK', exists],
      needs,
      summary: 'Makes a device with a fresh secret, to be verified by a code',
      audit: { what: 'totp.device.add', when: 'hourly' },
      ...body(inBody.createTotpDevice, (tenant, input) => totp.create(tenant, input)),
    },
    {
      method: 'POST',
      path: `${path}/device/import`,
      scope: 'app',
      tag,
      statuses: ['OK', exists],
      needs: ['import'],
      summary: 'Keeps a verified device of another system, with its secret',
      audit: { what: 'import.totp-device', when: 'often' },
      ...body(inBody.importTotpDevice, (tenant, input) => totp.import(tenant, input)),
    },
    {
      method: 'PUT',
      path: `${path}/device`,
      scope: 'app',
      tag,
      statuses: ['OK', unknown, exists],
      needs,
      summary: 'Renames a device',
      audit: { what: 'totp.device.rename', when: 'hourly' },
      ...body(inBody.renameTotpDevice, (tenant, input) => totp.rename(tenant, input)),
    },
    {
      method: 'GET',
      path: `${path}/device/list`,
      scope: 'app',
      tag,
      statuses: ['OK'],
      needs,
      summary: "Lists a user's TOTP devices, without their secrets",
      ...query(inQuery.listDevices, (tenant, input) => totp.list(tenant, input)),
    },
    {
      method: 'POST',
      path: `${path}/device/remove`,
      scope: 'app',
      tag,
      statuses: ['OK'],
      needs,
      summary: 'Removes a device; one that does not exist is no error',
      audit: { what: 'totp.device.remove', fields: ['userId', 'deviceName'] },
      ...body(inBody.removeTotpDevice, (tenant, input) => totp.remove(tenant, input)),
    },
  ];
}

function codeRoutes(totp: TotpOperations): Route[] {
  return [
    {
      method: 'POST',
      path: `${path}/device/verify`,
      scope: 'tenant',
      tag,
      needs,
      statuses: ['OK', unknown, ...wrong],
      summary: 'Verifies a device by a code that it shows',
      audit: { what: 'totp.device.verify', when: 'hourly' },
      ...body(inBody.verifyTotpDevice, (tenant, input) => totp.verifyDevice(tenant, input)),
    },
    {
      method: 'POST',
      path: `${path}/verify`,
      scope: 'tenant',
      tag,
      needs,
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR', ...wrong],
      summary: 'Verifies a code of one of the user’s devices',
      unaudited: 'takes a code of the user',
      ...body(inBody.verifyTotp, (tenant, input) => totp.verify(tenant, input)),
    },
  ];
}
