/** Stores an old system's answer: the user as an import would, and the password as a hash of our own. */
import { legacyMark, markedSource } from '../../domain/legacy-mark.ts';
import type { LegacySource, Tenant } from '../../domain/model.ts';
import type { OperationsContext } from '../../operations/context.ts';
import type { LegacyAccess, LegacyReject } from './model.ts';
import type { LegacyPerson } from './dialect.ts';
import type { Mismatch } from './identity.ts';
import { bareRecord, type Known, recordOf } from './record.ts';

export interface Moving {
  readonly context: Pick<OperationsContext, 'stores' | 'hasher' | 'now'>;
  readonly access: LegacyAccess;
  readonly tenant: Tenant;
  readonly source: LegacySource;
  readonly email: string;
  readonly password: string;
  readonly person: LegacyPerson;
  /** The marked login method; undefined for a user who is not here yet. */
  readonly userId: string | undefined;
}

/** The record states an identity that another user has here. */
const ofAnother: readonly string[] = ['DIFFERENT_PERSON', 'IDENTITY_TAKEN', 'EXTERNAL_ID_TAKEN'];

/**
 * The password replaces the mark only while the mark is there: a password that was set in the meantime is not replaced. Names and
 * roles that cannot be stored do not prevent the sign-in.
 * @returns 'id' if the answer is about another user; then nothing is changed
 */
export async function move(moving: Moving): Promise<Mismatch | undefined> {
  const { context, tenant, email, password } = moving;
  const to = await context.hasher.hash(password, { party: tenant.appNo });
  if (await isOfAnother(moving)) return 'id';
  const { credential } = await context.stores.users.findCredential(tenant, email);
  const source = markedSource(credential?.passwordHash);
  if (credential === undefined || source === undefined) return undefined;
  const { userId } = credential;
  await context.stores.users.upgradeHash({
    appNo: tenant.appNo,
    userId,
    from: legacyMark(source),
    to,
    at: context.now(),
  });
  return undefined;
}

/** Imports the user as described in the answer. @returns whether the import shows that the answer is about another user */
async function isOfAnother(moving: Moving): Promise<boolean> {
  const { access, tenant, source, email, person, userId } = moving;
  if (userId !== undefined && Object.keys(person).length === 0) return false;
  const record = recordOf(tenant, source, { email, person, known: await knownOf(moving) });
  const reject = await access.importRecord(tenant, record);
  if (reject === undefined) return false;
  if (ofAnother.includes(reject.code)) return true;
  access.onTrouble?.(source.name, 'what an old system said of a user could not be kept', textOf(reject));
  const again = await access.importRecord(tenant, bareRecord(record));
  if (again !== undefined)
    access.onTrouble?.(source.name, 'a user of an old system could not be kept', textOf(again));
  return false;
}

function textOf({ code, field }: LegacyReject): string {
  return `${code} ${field}`.trim();
}

async function knownOf({ context: { stores }, tenant, userId }: Moving): Promise<Known> {
  if (userId === undefined) return { user: undefined, hasMetadata: false, hasRoles: false };
  const user = await stores.users.findUser(tenant.appNo, userId);
  const id = user?.id ?? userId;
  const [metadata, roles] = await Promise.all([
    stores.details.metadata(tenant.appNo, id),
    stores.details.roles(tenant, id),
  ]);
  return { user, hasMetadata: Object.keys(metadata).length > 0, hasRoles: roles.length > 0 };
}
