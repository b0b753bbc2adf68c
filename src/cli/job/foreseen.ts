import type { UndoForeseen } from '../../imports/model.ts';
import type { JobView } from '../client/views.ts';
import { count, plural, printable } from '../output/format.ts';

const reasons: Readonly<Record<keyof UndoForeseen['left'], string>> = {
  SIGNED_IN: 'signed in since: --force takes them too',
  CHANGED_SINCE: 'changed since: --force takes them too',
  IDENTITY_TAKEN: 'another user has their former email or id',
};

/** Users that an undo would remove or restore. */
export function undoneUsers({ removed, restored }: UndoForeseen): number {
  return removed + restored;
}

/** The predicted effect of an undo, before it is requested. */
export function describeForeseen({ id, name }: JobView, foreseen: UndoForeseen): string[] {
  return [`Undo of ${printable(name)} (job ${id})`, ...describeUsers(foreseen)];
}

/** Users by what an undo would do with them, a line each. */
export function describeUsers({ removed, restored, left }: UndoForeseen): string[] {
  const reasonsHere = Object.keys(reasons) as (keyof typeof reasons)[];
  return [
    `  ${plural(removed, 'user')} would be removed`,
    `  ${plural(restored, 'user')} would be put back as before`,
    `  ${plural(left.SIGNED_IN + left.CHANGED_SINCE + left.IDENTITY_TAKEN, 'user')} would stay as they are`,
    ...reasonsHere
      .filter((reason) => left[reason] > 0)
      .map((reason) => `    ${count(left[reason])} ${reasons[reason]}`),
  ];
}
