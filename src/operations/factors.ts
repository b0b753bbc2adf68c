import { Refusal } from '../domain/errors.ts';
import type { FactorsChange } from './ports/ports.ts';

const allowed = /^[\w.()-]+$/;

/** @throws Refusal INVALID_FIELD for a name twice, or of other characters */
export function requireFactors({ firstFactors, requiredSecondaryFactors }: FactorsChange): FactorsChange {
  const change = { firstFactors, requiredSecondaryFactors };
  for (const [field, factors] of Object.entries(change)) {
    if (!factors) continue;
    if (new Set(factors).size < factors.length)
      throw new Refusal('INVALID_FIELD', `${field} input should not contain duplicate values`);
    if (!factors.every((factor) => allowed.test(factor)))
      throw new Refusal('INVALID_FIELD', `${field} should contain only 0-9,a-z,A-Z,_,.,- characters`);
  }
  return change;
}
