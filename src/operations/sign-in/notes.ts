import type { Tenant } from '../../domain/model.ts';
import type { OperationsContext } from '../context.ts';
import type { Credential } from '../ports/ports.ts';

/**
 * Notes that a login method was used, for the undo of imports. A user who proved their identity is let in even if that
 * fails: `onLostMark` reports it then.
 * @param used by the core's own id; with the hash that the password was right for, where it was a password
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
 * Notes a password that came without a sign-in: a wrong one, or a right one that was only checked. No request waits for it
 * and written after the reply, because there is no note of an unknown email; the store finishes it before it closes.
 * `onLostCheck` reports a failure.
 */
export function noteCheck(
  { stores, now, onLostCheck }: OperationsContext,
  { appNo }: Tenant,
  { userId, passwordHash }: Credential,
  isRight: boolean,
): void {
  const check = { appNo, userId, passwordHash, isRight, at: now() };
  // The reply is written in this turn of the event loop: even to prepare the statement before it would take time.
  setImmediate(() => {
    stores.signIns.markCheck(check).catch((error: unknown) => {
      onLostCheck?.(error);
    });
  });
}
