/** Messages about inputs that are only a part of their origin. */

import path from 'node:path';
import type { Incomplete } from '../../exports/readers/ending.ts';
import { InputIncomplete } from '../command-error.ts';
import { printable } from './format.ts';
import type { Surroundings } from '../surroundings.ts';

const cureOfPart = 'give all of the input, or import what is there with --partial';
const cureOfAbsent =
  '--absent needs all users of the source, also with --partial: give all of the input, or leave --absent out and import what is there with --partial';

interface Refused {
  readonly absent?: string | undefined;
  /** The consequence, with a full stop before it. */
  readonly so: string;
}

/** @param incomplete as it is shown */
export function refusal(incomplete: readonly Incomplete[], { absent, so }: Refused): InputIncomplete {
  const cure = absent === undefined ? cureOfPart : cureOfAbsent;
  const message = `The input is not complete. ${sentences(incomplete)}${so}. To go on: ${cure}`;
  return new InputIncomplete(message, incomplete, { field: '--partial', cure });
}

/** Shown after these lines by commands that change nothing. */
export const refusedWithout = 'An import of a part needs --partial, and --absent refuses it';

const reasonsShown = 5;

function sentences(incomplete: readonly Incomplete[]): string {
  const shown = incomplete.slice(0, reasonsShown).map(({ file, message }) => `${file}: ${message}`);
  const rest = incomplete.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more such reasons`] : [])].join('. ');
}

/** For people, a line each. */
export function describeIncomplete(incomplete: readonly Incomplete[]): string[] {
  const lines = incomplete
    .slice(0, reasonsShown)
    .map(({ file, message }) => `Not complete: ${printable(file)}: ${printable(message)}`);
  const rest = incomplete.length - lines.length;
  return rest > 0 ? [...lines, `Not complete: ${rest} more such reasons`] : lines;
}

/** With files named as a person would. */
export function shownOf(
  { isSpooled }: { readonly isSpooled: boolean },
  incomplete: readonly Incomplete[],
  { folder }: Pick<Surroundings, 'folder'>,
): readonly Incomplete[] {
  return incomplete.map((each) => ({ ...each, file: shownFile(each.file, isSpooled, folder) }));
}

/** The copy of a standard input is the only file of such an input. */
function shownFile(file: string, isSpooled: boolean, folder: string): string {
  if (isSpooled && path.basename(file).startsWith('input-')) return 'the standard input';
  const near = path.relative(folder, file);
  return near.startsWith('..') ? file : near;
}
