import type { ByState, SignInState } from '../../imports/model.ts';
import { count, plural, printable } from './format.ts';
import { type CountedLosses, lostOf } from './lost.ts';
import type { LoggedReject, RejectGroup } from './reject-log.ts';

/** What becomes of the people of a file: before an import, in a dry run and afterwards. */
export interface Outcome extends CountedLosses {
  /** Of a core that does not count it: undefined. */
  readonly byState: ByState | undefined;
  readonly notImported: number;
  /** Why, most frequent first: as far as somebody has read the rejects. */
  readonly groups: readonly RejectGroup[];
  /** What a reject's number counts. */
  readonly unit: string;
}

/** The classes in numbers, for columns and programs. */
export interface Classes {
  readonly canSignIn: number;
  readonly cannotYet: number;
  readonly notImported: number;
  /** Imported, and something of the source is not kept; also counted in one of the first two. */
  readonly withLoss: number;
}

const reasons: Readonly<Record<Exclude<SignInState, 'canSignIn'>, string>> = {
  secondFactor: 'second factor',
  requiredAction: 'required action at the source, such as a new password',
  disabled: 'disabled at the source',
};

/** @returns the numbers of the classes */
export function classesOf({ byState = {}, notImported, ...outcome }: Outcome): Classes {
  const { canSignIn = 0 } = byState;
  const people = Object.values(byState).reduce((sum, each) => sum + each, 0);
  const withLoss = lostOf(outcome).reduce((sum, [each]) => sum + each, 0);
  return { canSignIn, cannotYet: people - canSignIn, notImported, withLoss };
}

/** The classes one below the other, each with its reasons: most of what a person wants to know of an import. */
export function describeOutcome(outcome: Outcome): string[] {
  const { canSignIn, cannotYet, notImported, withLoss } = classesOf(outcome);
  const { byState, groups, unit } = outcome;
  const states =
    byState === undefined
      ? []
      : [line(canSignIn, 'can sign in today'), line(cannotYet, 'cannot yet'), ...reasonsOf(byState)];
  return [
    ...states,
    line(notImported, 'not imported'),
    ...describeRejects(groups, unit),
    ...(withLoss > 0 ? [line(withLoss, 'came over with something lost'), ...indented(lostOf(outcome))] : []),
  ];
}

function line(people: number, what: string): string {
  return `  ${count(people)} ${what}`;
}

function reasonsOf(byState: ByState): string[] {
  const states = Object.keys(reasons) as (keyof typeof reasons)[];
  return indented(states.map((state) => [byState[state] ?? 0, reasons[state]] as const));
}

function indented(entries: readonly (readonly [number, string])[]): string[] {
  return entries
    .filter(([people]) => people > 0)
    .toSorted(([a], [b]) => b - a)
    .map(([people, why]) => `    ${count(people)} ${why}`);
}

/** The rejects as a person reads them: by what is wrong, with the first few of each. */
export function describeRejects(groups: readonly RejectGroup[], unit: string): string[] {
  return groups.flatMap(({ code, message, count: all, examples }) => {
    const more = all - examples.length;
    const places = examples.map(
      (each) => `${whereOf(each, unit)}${placeOf(each.field, message)}${otherSideOf(each, unit)}`,
    );
    const rest = more > 0 ? ` and ${plural(more, `more ${unit}`)}` : '';
    return [
      `    ${count(all)} ${printable(message || 'no reason was given')} (${printable(code)})`,
      `      ${places.join(', ')}${rest}`,
    ];
  });
}

/** Who or what has the key. */
function otherSideOf({ otherUserId, otherLine, otherFile }: LoggedReject, unit: string): string {
  if (otherUserId !== undefined) return ` (user ${printable(otherUserId)} has it)`;
  if (otherLine === undefined) return '';
  return ` (as ${otherFile === undefined ? '' : `${printable(otherFile)} `}${unit} ${count(otherLine)})`;
}

function whereOf({ file, line: number }: LoggedReject, unit: string): string {
  return file === undefined ? `${unit} ${number}` : `${printable(file)} ${unit} ${number}`;
}

/** Unless the message names the field itself. */
function placeOf(field: string, message: string): string {
  return field === '' || message.includes(`'${field}'`) ? '' : ` at ${printable(field)}`;
}
