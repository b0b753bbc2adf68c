/** Whether whom a record states could sign in once it is imported, and if not, why. */

import type { SignInState } from '../model.ts';
import type { BulkRecord } from './model.ts';

const passwordless = 3;

export function signInStateOf({ restrictions, methods }: BulkRecord): SignInState {
  if (restrictions?.isDisabled === true) return 'disabled';
  if (restrictions?.isHeld === true)
    return restrictions.secondFactors === undefined ? 'requiredAction' : 'secondFactor';
  return methods.every(({ recipe }) => recipe === passwordless) ? 'noCodes' : 'canSignIn';
}
