/** Commands that follow an import. */

import { carryover } from '../../process/called.ts';
import type { Step } from '../command-error.ts';
import type { JobView } from '../client/views.ts';

/** @param flags by which the core is found, with a blank before them */
export function stepsAfter(job: JobView, flags: string): Step[] {
  const { id, state, dryRun, conflicts = 0, absent } = job;
  const about = (verb: string): string => `${carryover} ${verb} ${id}${flags}`;
  if (state === 'receiving')
    return [{ command: `${carryover} resume ${id} --yes`, reason: 'goes on, if it was interrupted' }];
  return [
    ...(conflicts > 0
      ? [{ command: about('conflicts'), reason: 'lists what was changed here and at the source' }]
      : []),
    ...((absent ?? 0) > 0
      ? [{ command: about('absent'), reason: 'lists users who are not in the file' }]
      : []),
    ...(hasChanges(job) && !dryRun
      ? [{ command: `${about('undo')} --dry-run`, reason: 'shows what an undo would do' }]
      : []),
  ];
}

/** Whether there is anything to undo. */
export function hasChanges({
  dryRun,
  state,
  created,
  updated,
  absentDone,
}: Pick<JobView, 'dryRun' | 'state' | 'created' | 'updated' | 'absentDone'>): boolean {
  return !dryRun && state !== 'undone' && created + updated + (absentDone ?? 0) > 0;
}
