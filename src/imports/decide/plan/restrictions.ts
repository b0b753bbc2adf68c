/**
 * Whether a user may sign in, decided three-way: by what the last import stated, what this record states and what is set here.
 * Only a change at the source is applied, and none that contradicts what was set here.
 */

import type { KeptRestrictions, StatedRestrictions } from '../../../operations/ports/ports.ts';
import { checkAtSource } from '../../../domain/required-actions.ts';
import { canonicalJson } from '../../parse/canonical.ts';

type Flag = 'isDisabled' | 'isHeld';
type Base = StatedRestrictions & { readonly isDisabled: boolean | number };

/** @returns the fields that the record states differently from the last import, and the state afterwards */
export function restate(
  present: KeptRestrictions | null | undefined,
  stated: StatedRestrictions = {},
): { readonly fields: readonly string[]; readonly kept: KeptRestrictions | undefined } {
  const kept = present ?? undefined;
  const base = baseOf(kept);
  const names = Object.keys(stated) as (keyof StatedRestrictions)[];
  const changed = names.filter((name) => canonicalJson(stated[name]) !== canonicalJson(base[name]));
  if (isReadableAgain(kept, stated)) changed.push('requiredActions');
  if (changed.length === 0) return { fields: [], kept };
  // Perhaps only the rule of the job changed.
  const fields = new Set(changed.map((name) => (name === 'isHeld' ? listOf(stated) : name)));
  return { fields: [...fields], kept: restricted(kept, stated) };
}

function listOf({ secondFactors }: StatedRestrictions): 'secondFactors' | 'requiredActions' {
  return secondFactors === undefined ? 'requiredActions' : 'secondFactors';
}

/** The state once the record is imported. */
export function restricted(kept: KeptRestrictions | undefined, stated: StatedRestrictions): KeptRestrictions {
  const [disabled, held] = [flagOf('isDisabled', kept, stated), flagOf('isHeld', kept, stated)];
  const here = {
    ...(disabled.isHere && { isDisabled: true as const }),
    ...(held.isHere && { isHeld: true as const }),
  };
  return {
    ...(disabled.is !== false && { isDisabled: disabled.is }),
    ...(held.is !== false && { isHeld: true as const }),
    stated: { ...(isReadableAgain(kept, stated) ? withoutCheck(kept?.stated) : kept?.stated), ...stated },
    ...((disabled.isHere || held.isHere) && { here }),
  };
}

/**
 * The guard decides now whether the user is disabled, and the record asks for no check: lifting the checks of others must not
 * admit the user.
 */
function isReadableAgain(kept: KeptRestrictions | undefined, stated: StatedRestrictions): boolean {
  const { isDisabled, requiredActions } = stated;
  const isChecked = kept?.stated?.requiredActions?.includes(checkAtSource) === true;
  return isChecked && isDisabled !== undefined && requiredActions === undefined;
}

function withoutCheck({ requiredActions = [], ...rest }: StatedRestrictions = {}): StatedRestrictions {
  const others = requiredActions.filter((each) => each !== checkAtSource);
  return others.length === 0 ? rest : { ...rest, requiredActions: others };
}

/** A number is a time until which the flag is set: another time is another value. */
function flagOf(flag: Flag, kept: KeptRestrictions | undefined, stated: StatedRestrictions) {
  const ours = kept?.[flag] ?? false;
  const isHere = kept?.here?.[flag] === true;
  const theirs = stated[flag];
  if (theirs === undefined || theirs === (baseOf(kept)[flag] ?? false)) return { is: ours, isHere };
  // The source now agrees with what was lifted here: from now on its statements count again.
  if (theirs === ours) return { is: ours, isHere: isHere && ours !== false };
  return isHere ? { is: ours, isHere } : { is: theirs, isHere };
}

function baseOf(kept: KeptRestrictions | undefined): Base {
  return { isDisabled: false, ...kept?.stated };
}
