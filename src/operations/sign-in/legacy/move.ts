/** Keeps what an old system said: the user as an import would, and the password as a hash of our own. */
import { legacyMark, markedSource } from '../../../config/legacy/mark.ts';
import type { LegacySource, Tenant } from '../../../domain/model.ts';
import type { OperationsContext } from '../../context.ts';
import type { LegacyAccess } from '../../ports/legacy.ts';
import type { LegacyPerson } from './dialect.ts';
import { bareRecord, type Known, recordOf } from './record.ts';

export interface Moving {
  readonly context: Pick<OperationsContext, 'stores' | 'hasher' | 'now'>;
  readonly access: LegacyAccess;
  readonly tenant: Tenant;
  readonly source: LegacySource;
  readonly email: string;
  readonly password: string;
  readonly person: LegacyPerson;
  /** The login method that is marked; undefined for somebody who is not here yet. */
  readonly userId: string | undefined;
}

/**
 * The password replaces the mark only while that stands there: whoever changes it meanwhile keeps what they set. What the old
 * system says beside the password is no condition for letting its user in.
 */
export async function move(moving: Moving): Promise<void> {
  const { context, tenant, email, password } = moving;
  const to = await context.hasher.hash(password);
  await keep(moving);
  const { credential } = await context.stores.users.findCredential(tenant, email);
  const source = markedSource(credential?.passwordHash);
  if (credential === undefined || source === undefined) return;
  const { userId } = credential;
  await context.stores.users.upgradeHash({
    ...{ appNo: tenant.appNo, userId, from: legacyMark(source), to, at: context.now() },
  });
}

async function keep(moving: Moving): Promise<void> {
  const { access, tenant, source, email, person, userId } = moving;
  if (userId !== undefined && Object.keys(person).length === 0) return;
  const record = recordOf(tenant, source, { email, person, known: await knownOf(moving) });
  const reject = await access.importRecord(tenant, record);
  if (reject === undefined) return;
  access.onTrouble?.(source.name, 'what an old system said of a user could not be kept', reject);
  const again = await access.importRecord(tenant, bareRecord(record));
  if (again !== undefined)
    access.onTrouble?.(source.name, 'a user of an old system could not be kept', again);
}

async function knownOf({ context: { stores }, tenant, userId }: Moving): Promise<Known> {
  if (userId === undefined) return { user: undefined, hasMetadata: false, hasRoles: false };
  const user = await stores.users.findUser(tenant.appNo, userId);
  const id = user?.id ?? userId;
  const [metadata, roles] = await Promise.all([
    stores.metadata.find(tenant.appNo, id),
    stores.userRoles.find(tenant, id),
  ]);
  return { user, hasMetadata: Object.keys(metadata).length > 0, hasRoles: roles.length > 0 };
}
