import { shownStates } from '../../domain/jobs/sign-in-states.ts';
import { defaultSecondFactor } from '../../imports/model.ts';
import type { Outcome } from '../output/outcome.ts';
import type { RejectLog } from '../output/reject-log.ts';
import type { Findings } from './inspection.ts';

/** The outcome that an import of the inspected records would have, without knowledge of the database. */
export function foreseenOutcome(
  { byState: found, byFactor, oddDates }: Findings,
  { count: notImported, groups }: Pick<RejectLog, 'count' | 'groups'>,
  unit: Outcome['unit'],
): Outcome {
  const { byState, canSignInBy } = shownStates(found);
  return {
    byState,
    canSignInBy,
    byFactor,
    oddDates,
    secondFactor: defaultSecondFactor,
    notImported,
    groups,
    unit,
  };
}
