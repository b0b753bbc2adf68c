import type { ReadUsers } from '../tasks.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import { type Engine, rulesOf } from '../engine.ts';
import { defaultSecondFactor } from '../model.ts';

export type BodyUsers = ReadUsers;

/**
 * Reads a body `{"users":[…]}` in a thread, with every check of its records that needs no stored users.
 * @param body its memory is given away
 * @throws Refusal INVALID_JSON_INPUT, INVALID_FIELD, OVERLOADED
 */
export async function readUsers(
  engine: Pick<Engine, 'bodyThreads' | 'tenantNumbers' | 'allowPlainText' | 'placeSecret' | 'now'>,
  tenant: Tenant,
  body: { readonly bytes: Uint8Array<ArrayBuffer>; readonly mostUsers: number },
): Promise<BodyUsers> {
  const job = { onConflict: 'update', dryRun: false, secondFactor: defaultSecondFactor } as const;
  const rules = await rulesOf(engine, tenant, job);
  const read = await engine.bodyThreads.run({ type: 'users', ...body, rules });
  if ('refusal' in read) throw new Refusal(read.refusal.code, read.refusal.message);
  return read;
}
