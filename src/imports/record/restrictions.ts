/** What a record states about whether the user may sign in: disabled at the source, or protected by more than a password. */

import type { RecordRules } from '../tasks.ts';
import type { StatedRestrictions } from '../../operations/ports/ports.ts';
import { protectingActions } from '../../domain/required-actions.ts';
import type { SignInState, SignInWay } from '../../domain/jobs/sign-in-states.ts';
import type { SecondFactor } from '../model.ts';
import type { BulkMethod, BulkRecord } from './model.ts';
import type { NativeUser } from './native-record.ts';

interface Stated {
  readonly isDisabled: NativeUser['isDisabled'] | undefined;
  readonly disabledUntil: NativeUser['disabledUntil'] | undefined;
  readonly requiredActions: NativeUser['requiredActions'] | undefined;
  readonly secondFactors: readonly SecondFactor[] | undefined;
}

const protecting: ReadonlySet<string> = new Set(protectingActions);

export function isProtecting(action: string): boolean {
  return protecting.has(action.toUpperCase().replaceAll('-', '_'));
}

/** @returns undefined if the record states neither */
export function restrictionsOf(
  { secondFactors, requiredActions = [], ...stated }: Stated,
  { secondFactor: rule, now }: Pick<RecordRules, 'secondFactor' | 'now'>,
): StatedRestrictions | undefined {
  const isDisabled = disabledAt(now, stated);
  const factors = rule === 'drop' ? undefined : secondFactors;
  if (isDisabled === undefined && factors === undefined && requiredActions.length === 0) return undefined;
  const isMore = factors !== undefined || requiredActions.length > 0;
  return {
    ...(isDisabled !== undefined && { isDisabled }),
    ...(isMore && {
      isHeld: rule === 'refuse' && (factors !== undefined || requiredActions.some(isProtecting)),
    }),
    ...(factors !== undefined && { secondFactors: factors.toSorted() }),
    ...(requiredActions.length > 0 && { requiredActions: [...new Set(requiredActions)].toSorted() }),
  };
}

/** The time decides if there is one: a time that has passed means that the user is not disabled. */
function disabledAt(
  now: number,
  { isDisabled, disabledUntil }: Pick<Stated, 'isDisabled' | 'disabledUntil'>,
): StatedRestrictions['isDisabled'] {
  if (disabledUntil === undefined) return isDisabled;
  return disabledUntil > now ? disabledUntil : false;
}

/** Whether nothing has to be stored for a new user: no row, and no cost, for the many users who are simply not disabled. */
export function isFree(stated: StatedRestrictions | undefined): boolean {
  return stated === undefined || (stated.isDisabled === false && stated.isHeld === undefined);
}

type StatedFactors = Pick<NativeUser, 'totpDevices' | 'backupCodes' | 'secondFactors'>;

/** The second factors that a record states. @returns their kinds, each once; undefined for none */
export function factorsOf({
  totpDevices = [],
  backupCodes = [],
  secondFactors = [],
}: StatedFactors): readonly SecondFactor[] | undefined {
  if (totpDevices.length + backupCodes.length + secondFactors.length === 0) return undefined;
  const held = new Set<SecondFactor>(secondFactors);
  if (totpDevices.length > 0) held.add('totp');
  if (backupCodes.length > 0) held.add('backup');
  return [...held];
}

/** Whether the user of a record can sign in once it is imported, and how; if not, why. */
export function signInStateOf({ restrictions, methods }: BulkRecord): SignInState {
  if (restrictions?.isDisabled !== undefined && restrictions.isDisabled !== false) return 'disabled';
  if (restrictions?.isHeld === true)
    return restrictions.secondFactors === undefined ? 'requiredAction' : 'secondFactor';
  return wayOf(methods);
}

const recipes = { emailPassword: 1, thirdParty: 2, passwordless: 3 } as const;

function wayOf(methods: BulkRecord['methods']): SignInWay {
  if (methods.some(hasPassword)) return 'password';
  if (methods.some(({ recipe }) => recipe === recipes.passwordless)) return 'code';
  return methods.some(({ recipe }) => recipe === recipes.thirdParty) ? 'provider' : 'reset';
}

function hasPassword({ passwordHash, plainTextPassword, hashKind }: BulkMethod): boolean {
  return passwordHash !== undefined || plainTextPassword !== undefined || hashKind !== undefined;
}
