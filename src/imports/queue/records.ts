import type { QueueEntry } from './ports.ts';

/** Records of the queue as they may be listed and stored: without secrets. */

type Fields = Readonly<Record<string, unknown>>;

/** An entry as it is listed: its record's fields next to its own, as in the driver interface. */
export interface ListedEntry extends Fields {
  readonly id: string;
  readonly status: QueueEntry['status'];
  readonly errorMessage?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Listed explicitly: a field that is not known to be harmless is not shown. */
const shownOfUser = [
  'externalUserId',
  'userMetadata',
  'userRoles',
  'secondFactors',
  'requiredActions',
  'isDisabled',
  'disabledUntil',
] as const;
const shownOfMethod = [
  'recipeId',
  'tenantIds',
  'isVerified',
  'isPrimary',
  'timeJoinedInMSSinceEpoch',
  'email',
  'phoneNumber',
  'thirdPartyId',
  'thirdPartyUserId',
  'hashingAlgorithm',
] as const;
const shownOfDevice = ['deviceName', 'period', 'skew', 'algorithm', 'digits'] as const;

export function listedEntry({ record, errorMessage, ...entry }: QueueEntry): ListedEntry {
  const { id, status, createdAt, updatedAt } = entry;
  const error = errorMessage === undefined ? {} : { errorMessage };
  return { ...shownUser(record), id, status, ...error, createdAt, updatedAt };
}

function shownUser(record: string): Fields {
  const user = JSON.parse(record) as Fields;
  return {
    ...pick(user, shownOfUser),
    ...eachOf(user, 'loginMethods', (method) => pick(method, shownOfMethod)),
    ...eachOf(user, 'totpDevices', (device) => pick(device, shownOfDevice)),
  };
}

function eachOf(user: Fields, name: string, show: (item: Fields) => Fields): Fields {
  const items = user[name];
  return Array.isArray(items) ? { [name]: items.map((item) => show(item as Fields)) } : {};
}

function pick(source: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(source, name) ? [[name, source[name]]] : [])),
  );
}

/** The stored form of a failed record: its plain-text passwords are not needed any more. */
export function withoutPlainText(record: string): string {
  if (!record.includes('plainTextPassword')) return record;
  const user = JSON.parse(record) as { loginMethods?: unknown };
  if (!Array.isArray(user.loginMethods)) return record;
  for (const method of user.loginMethods as { plainTextPassword?: string }[]) delete method.plainTextPassword;
  return JSON.stringify(user);
}
