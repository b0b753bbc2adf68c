import { Refusal } from '../domain/errors.ts';
import type { Tenant } from '../domain/model.ts';
import type { Sealer } from '../process/sealer.ts';
import { openCodes } from './factors/backup-codes.ts';
import { openSecret } from './factors/secret.ts';
import { devicesIn, openDevice, openStagedCodes } from './factors/staged.ts';
import { markedSource } from '../domain/legacy-mark.ts';
import { storedKind } from '../hashes/recognise.ts';
import { statedIn } from '../hashes/transforms/transforms.ts';
import type { OperationsContext } from './context.ts';
import { disabledAt } from './users/restrictions.ts';
import { defaultShape } from '../hashes/parts/one-time-code.ts';
import type {
  CodeShape,
  ExportedDevice,
  ExportedPage,
  ExportedUser,
  ExportStore,
  StoredMethod,
} from './ports/ports.ts';

export interface SingleRecord {
  /** Of a bulk import. */
  readonly record: object;
  /** Of its login methods, in their order. */
  readonly methods: readonly { readonly id: string; readonly externalId: string | undefined }[];
}

export interface ExportOperations {
  /**
   * All users of the app by core id, as records of a bulk import: NDJSON, a page at a time, read at most one page ahead. Users who
   * join or leave meanwhile may be included or not.
   * @throws Refusal HASH_EXPORT_NOT_ALLOWED at once; others during the reading
   */
  users(tenant: Tenant): AsyncIterable<string>;
  /**
   * As `users`, only users who were created or changed here.
   * @param since a job's id, for the time at which it began, or a time
   * @throws Refusal HASH_EXPORT_NOT_ALLOWED, INVALID_QUERY_PARAMETER
   */
  changedUsers(tenant: Tenant, since: string): Promise<AsyncIterable<string>>;
  /**
   * Single users as they are now.
   * @param ids of their heads @returns by these ids; without those who are no longer there
   * @throws Refusal HASH_EXPORT_NOT_ALLOWED
   */
  recordsOf(tenant: Tenant, ids: readonly string[]): Promise<ReadonlyMap<string, SingleRecord>>;
}

/** Users in one page: about 200 KB of text, so that no request waits long. */
const pageSize = 500;

export function exportOperations(
  { stores: { exports }, allowHashExport = false, sealer, now }: OperationsContext,
  limit = pageSize,
): ExportOperations {
  const asRecord = (appNo: number, user: ExportedUser): object =>
    recordOf(user, secretsOf(sealer, appNo, user), now());
  const lines = (appNo: number, paging: Omit<Paging, 'lineOf'>): AsyncIterable<string> => {
    const lineOf = (user: ExportedUser) => `${JSON.stringify(asRecord(appNo, user))}\n`;
    return pagesOf(exports, appNo, { ...paging, lineOf });
  };
  const requireAllowed = (): void => {
    if (!allowHashExport) throw new Refusal('HASH_EXPORT_NOT_ALLOWED');
  };
  return {
    users({ appNo }) {
      requireAllowed();
      return lines(appNo, { limit, since: undefined });
    },
    async changedUsers({ appNo }, text) {
      requireAllowed();
      const since = await momentOf(exports, appNo, text);
      return lines(appNo, { limit: limit * windows, since });
    },
    async recordsOf({ appNo }, ids) {
      requireAllowed();
      const users = await exports.ofHeads(appNo, ids);
      return new Map(
        Array.from(users, ([id, user]) => {
          const methods = user.methods.map(({ recipeUserId, externalId }) => ({
            id: recipeUserId,
            externalId,
          }));
          return [id, { record: asRecord(appNo, user), methods }];
        }),
      );
    },
  };
}

/** Larger, because few of the examined users have changed. */
const windows = 8;

const jobId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** @returns ms since the epoch @throws Refusal INVALID_QUERY_PARAMETER */
async function momentOf(exports: ExportStore, appNo: number, text: string): Promise<number> {
  if (jobId.test(text)) {
    const began = await exports.beginningOf(appNo, text);
    if (began !== undefined) return began;
    throw new Refusal('INVALID_QUERY_PARAMETER', "changedSince: this app has no such job; 'jobs' lists them");
  }
  const at = /^\d{1,15}$/.test(text) ? Number(text) : time.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new Refusal(
    'INVALID_QUERY_PARAMETER',
    'changedSince must be the id of a job or a time, such as 2026-11-25, 2026-11-25T08:00:00Z or milliseconds since 1970',
  );
}

interface Paging {
  /** Default: all users. */
  readonly since: number | undefined;
  readonly limit: number;
  readonly lineOf: (user: ExportedUser) => string;
}

/** The database reads a page while the one before it is written. */
async function* pagesOf(
  exports: ExportStore,
  appNo: number,
  { limit, lineOf, since }: Paging,
): AsyncGenerator<string> {
  const pageAfter = (after?: string): Promise<ExportedPage> =>
    since === undefined ? exports.page(appNo, after, limit) : exports.changedPage(appNo, after, limit, since);
  let coming: Promise<ExportedPage> | undefined = pageAfter();
  while (coming !== undefined) {
    const { users, next }: ExportedPage = await coming;
    coming = next === undefined ? undefined : pageAfter(next);
    // Its failure is thrown when it is awaited; a reader who left does not await it.
    coming?.catch(() => undefined);
    if (users.length > 0) yield users.map(lineOf).join('');
  }
}

/**
 * The record that creates this user when it is imported. Without its core id: a user without an external id gets a new one.
 * @param at ms since the epoch; restrictions that ended before are left out
 */
function recordOf(
  { externalId, metadata, roles, methods, ...rest }: ExportedUser,
  secrets: Secrets,
  at: number,
): object {
  const { isPrimary, restrictions } = rest;
  return {
    externalUserId: externalId,
    userMetadata: metadata,
    userRoles: roles,
    ...secrets,
    secondFactors: restrictions?.stated?.secondFactors,
    requiredActions: restrictions?.stated?.requiredActions,
    ...disabledAt(restrictions, at),
    loginMethods: methods.map((method, i) => methodOf(method, isPrimary && i === 0)),
  };
}

interface Secrets {
  readonly totpDevices: readonly object[] | undefined;
  readonly backupCodes: readonly object[] | undefined;
}

/** Imported devices that are not rows yet, and all others. */
function secretsOf(sealer: Sealer, appNo: number, user: ExportedUser): Secrets {
  const { totpDevices: staged = [], sealedDevices } = user;
  const opened = sealedDevices
    .filter(({ name }) => name !== '')
    .map((device) => deviceOf(sealer, appNo, device));
  const codes = openCodes(
    sealer,
    appNo,
    sealedDevices.find(({ name }) => name === ''),
  );
  return {
    totpDevices: someOf([...devicesIn(staged).map((device) => openDevice(sealer, appNo, device)), ...opened]),
    backupCodes: someOf(
      [...openStagedCodes(sealer, appNo, staged), ...codes]
        .filter(({ spentAt }) => spentAt === undefined)
        .map(({ hash }) => codeOf(hash)),
    ),
  };
}

function someOf(list: readonly object[]): readonly object[] | undefined {
  return list.length > 0 ? list : undefined;
}

function codeOf(hash: string): object {
  return { hash, hashingAlgorithm: storedKind(hash) };
}

function deviceOf(sealer: Sealer, appNo: number, device: ExportedDevice): object {
  const { id, sealedSecret, name: deviceName, period, skew, ...shape } = device;
  const secretKey = openSecret(sealer, appNo, { id, sealedSecret });
  return { secretKey, period, skew, deviceName, ...unusual(shape) };
}

/** Defaults are left out. */
function unusual({ algorithm, digits }: CodeShape): Partial<CodeShape> {
  return {
    ...(algorithm !== defaultShape.algorithm && { algorithm }),
    ...(digits !== defaultShape.digits && { digits }),
  };
}

const noHash = { hash: undefined, forms: undefined };

function methodOf({ timeJoined, verified, thirdParty, ...method }: StoredMethod, isPrimary: boolean): object {
  const { recipeId, tenantIds, email, phoneNumber, passwordHash: stored } = method;
  const legacy = markedSource(stored);
  const passwordHash = legacy === undefined ? stored : undefined;
  const { hash, forms } = passwordHash === undefined ? noHash : statedIn(passwordHash);
  return {
    recipeId,
    tenantIds,
    email,
    phoneNumber,
    thirdPartyId: thirdParty?.id,
    thirdPartyUserId: thirdParty?.userId,
    passwordHash: hash,
    legacy,
    hashingAlgorithm: hash === undefined ? undefined : storedKind(hash),
    passwordTransforms: forms,
    isVerified: verified,
    isPrimary: isPrimary ? true : undefined,
    timeJoinedInMSSinceEpoch: timeJoined,
  };
}
