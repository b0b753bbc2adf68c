/** The outcome of an undo. */

import type { ServerOptions } from '../client/server.ts';
import type { UndoView } from '../client/views.ts';
import type { Step } from '../command-error.ts';
import type { ConfirmOptions } from '../confirm/confirm.ts';
import { plural, printable } from '../output/format.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';

export interface UndoOptions extends ServerOptions, ConfirmOptions, SampleOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const mostShown = 20;

/** The users who stayed, masked unless samples are shown. */
export function shownUsers(left: UndoView['left'], options: SampleOptions): UndoView['left'] {
  const show = sampled(options);
  return left.map(({ userId, email, reason }) => ({
    userId: show(userId),
    ...(typeof email === 'string' && { email: show(email) }),
    reason,
  }));
}

/** For people. @param next commands that would undo the rest */
export function undoneText({ removed, restored, held = 0, left }: UndoView, next: readonly Step[]): string {
  const lines = [`Undone: ${plural(removed, 'user')} removed, ${plural(restored, 'user')} put back`];
  if (held > 0)
    lines.push(
      `Restricted: ${plural(held, 'user')} whose second factor could not be brought back. Import their records again, or lift it by PUT /user/restrictions`,
    );
  if (left.length > 0)
    lines.push(
      `Left: ${plural(left.length, 'user')}`,
      ...left
        .slice(0, mostShown)
        .map(
          ({ userId, email, reason }) =>
            `  ${printable(userId)}${typeof email === 'string' ? ` (${printable(email)})` : ''}: ${printable(reason)}`,
        ),
      ...(left.length > mostShown
        ? [`  and ${plural(left.length - mostShown, 'more user')}: --json lists all`]
        : []),
      ...next.map(({ command, reason }) => `To ${reason}: ${command}`),
    );
  return `${lines.join('\n')}\n`;
}
