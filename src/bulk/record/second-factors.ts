/** The second factors that a record states. */

import type { RecordRules } from '../../../workers/protocol.ts';
import type { SecondFactor } from '../job.ts';
import type { NativeUser } from '../native.ts';
import type { Problem } from './problem.ts';

type Stated = Pick<NativeUser, 'totpDevices' | 'secondFactors'>;

/** @returns their kinds, each once; undefined for none */
export function factorsOf({
  totpDevices = [],
  secondFactors = [],
}: Stated): readonly SecondFactor[] | undefined {
  if (totpDevices.length === 0 && secondFactors.length === 0) return undefined;
  const held: readonly SecondFactor[] = totpDevices.length > 0 ? ['totp'] : [];
  return [...new Set([...held, ...secondFactors])];
}

/** @returns why a record with a second factor is not imported, where the job refuses such records */
export function factorProblem(stated: Stated, { secondFactor }: RecordRules): Problem | undefined {
  const factors = factorsOf(stated);
  if (secondFactor !== 'refuse' || factors === undefined) return undefined;
  const field = (stated.totpDevices ?? []).length > 0 ? 'totpDevices' : 'secondFactors';
  const message = `The person has a second factor (${factors.join(', ')}), which is not asked for at sign-in yet, and the import refuses such records: import them with secondFactor=flag, which keeps what the record holds of it, or drop`;
  return { code: 'SECOND_FACTOR', field, message };
}
