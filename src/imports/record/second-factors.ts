/** The second factors that a record states. */

import type { SecondFactor } from '../model.ts';
import type { NativeUser } from './native-record.ts';

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
