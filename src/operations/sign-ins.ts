import type { Tenant } from '../model.ts';
import type { OperationsContext } from './operations.ts';

/**
 * Notes that a login method was used, for the undo of imports. Whoever proved to be the user is let in even if that
 * fails: `onLostMark` is told of it then.
 * @param userId the core's own id of the login method
 */
export async function markSignIn(
  { stores, now, onLostMark }: OperationsContext,
  { appNo }: Tenant,
  userId: string,
): Promise<void> {
  try {
    await stores.signIns.mark({ appNo, userId, at: now() });
  } catch (error) {
    onLostMark?.(error);
  }
}
