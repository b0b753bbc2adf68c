import type { Tenant } from '../../domain/model.ts';
import type { OperationsContext } from '../context.ts';
import type { Credential } from '../ports/ports.ts';

/**
 * Notes that a login method was used, for the undo of imports. The sign-in succeeds even if this fails, which `onLostMark`
 * reports.
 * @param used the login method by its core id, with the hash that verified the password, if there was one
 */
export async function markSignIn(
  { stores, now, onLostMark }: OperationsContext,
  { appNo }: Tenant,
  { userId, passwordHash }: Pick<Credential, 'userId'> & Partial<Credential>,
): Promise<void> {
  try {
    const proof = passwordHash === undefined ? {} : { passwordHash };
    await stores.signIns.mark({ appNo, userId, at: now(), ...proof });
  } catch (error) {
    onLostMark?.(error);
  }
}

/**
 * Notes a password without a sign-in: a wrong one, or a right one that was only checked. It is written after the reply, because
 * unknown emails have no note and must take the same time; the store finishes it before it closes. `onLostCheck` reports a failure.
 */
export function noteCheck(
  { stores, now, onLostCheck }: OperationsContext,
  { appNo }: Tenant,
  { userId, passwordHash }: Credential,
  isRight: boolean,
): void {
  const check = { appNo, userId, passwordHash, isRight, at: now() };
  // The reply is written in this turn of the event loop; even preparing the statement would delay it.
  setImmediate(() => {
    stores.signIns.markCheck(check).catch((error: unknown) => {
      onLostCheck?.(error);
    });
  });
}
