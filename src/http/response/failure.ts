import { randomUUID } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import type { Log } from '../ports.ts';
import { internalErrorReply, refusalReply, type Reply } from './replies.ts';

/** The answer to a request that failed. What is no refusal is a bug: it is logged under the id that the answer has. */
export function failureReply(error: unknown, log: Log, route: string | undefined): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  const errorId = randomUUID();
  log.error({ err: error, errorId, route }, 'a request failed unexpectedly');
  return internalErrorReply(errorId);
}
