import type { CanSignInBy, ShownStates, SignInWay } from '../../domain/jobs/sign-in-states.ts';
import { count, plural, printable } from './format.ts';
import { type CountedLosses, lostOf } from './lost.ts';
import { type SampleOptions, sampled } from './mask.ts';
import type { LoggedReject, RejectGroup } from './reject-log.ts';

/** The outcome for the users of a file: before an import, in a dry run and afterwards. */
export interface Outcome extends CountedLosses {
  /** undefined: the core does not count it. */
  readonly byState: ShownStates | undefined;
  /** How the users of `canSignIn` sign in; undefined as above. */
  readonly canSignInBy?: CanSignInBy | undefined;
  /** All rejects. */
  readonly notImported: number;
  /** Of these: users who were imported and have been removed here since, which is not a fault of the file. */
  readonly removedHere?: number | undefined;
  /** The reasons, most frequent first, for the rejects that were read. */
  readonly groups: readonly RejectGroup[];
  /** What a reject's number counts. */
  readonly unit: string;
  /** How emails and ids are shown; left out: masked. */
  readonly showSamples?: boolean | undefined;
}

/** The classes in numbers, for columns and programs. */
export interface Classes {
  readonly canSignIn: number;
  /** Of these, each once, by the best way that they have. */
  readonly canSignInBy: CanSignInBy;
  /** Imported, but cannot sign in until a restriction is lifted. */
  readonly restricted: number;
  /** Rejected, without those of `removedHere`. */
  readonly notImported: number;
  /** Left out because they were removed here. */
  readonly removedHere: number;
  /** Imported, but not all of the source's data is; also counted in one of the first two. */
  readonly withLoss: number;
}

const reasons: Readonly<Record<Exclude<keyof ShownStates, 'canSignIn'>, string>> = {
  secondFactor: 'second factor',
  requiredAction: 'required action at the source, such as a new password',
  disabled: 'disabled at the source',
};

const ways: Readonly<Record<SignInWay, string>> = {
  password: 'with the old password, by the format of their hashes',
  code: 'by a code or link that your app sends (imported without a password)',
  provider: 'at a provider',
  reset: 'after they set a new password',
};

/** @returns the numbers of the classes */
export function classesOf({ byState = {}, notImported, ...outcome }: Outcome): Classes {
  const { canSignInBy = {}, removedHere = removedIn(outcome.groups) } = outcome;
  const { canSignIn = 0 } = byState;
  const people = Object.values(byState).reduce((sum, each) => sum + each, 0);
  const withLoss = lostOf(outcome).reduce((sum, [each]) => sum + each, 0);
  return {
    canSignIn,
    canSignInBy,
    restricted: people - canSignIn,
    notImported: notImported - removedHere,
    removedHere,
    withLoss,
  };
}

const removedCode = 'REMOVED_HERE';

function removedIn(groups: readonly RejectGroup[]): number {
  return groups.filter(({ code }) => code === removedCode).reduce((sum, each) => sum + each.count, 0);
}

/** The classes with their reasons, a line each: the most important facts about an import. */
export function describeOutcome(outcome: Outcome): string[] {
  const { canSignIn, canSignInBy, restricted, notImported, removedHere, withLoss } = classesOf(outcome);
  const { byState, groups, unit, showSamples } = outcome;
  const states =
    byState === undefined
      ? []
      : [
          line(canSignIn, 'can sign in today'),
          ...waysOf(canSignInBy),
          line(restricted, 'restricted: imported, and cannot sign in yet'),
          ...reasonsOf(byState),
        ];
  const faulty = groups.filter(({ code }) => code !== removedCode);
  return [
    ...states,
    line(notImported, 'not imported'),
    ...describeRejects(faulty, unit, { showSamples }),
    ...(removedHere > 0
      ? [
          line(
            removedHere,
            'left out: removed here since they were imported (--restore-removed brings them back)',
          ),
        ]
      : []),
    ...(withLoss > 0 ? [line(withLoss, 'imported with something lost'), ...indented(lostOf(outcome))] : []),
  ];
}

function waysOf(by: CanSignInBy): string[] {
  const names = Object.keys(ways) as SignInWay[];
  return names.flatMap((way) => ((by[way] ?? 0) > 0 ? [`  ${line(by[way] ?? 0, ways[way])}`] : []));
}

function line(people: number, what: string): string {
  return `  ${count(people)} ${what}`;
}

function reasonsOf(byState: ShownStates): string[] {
  const states = Object.keys(reasons) as (keyof typeof reasons)[];
  return indented(states.map((state) => [byState[state] ?? 0, reasons[state]] as const));
}

function indented(entries: readonly (readonly [number, string])[]): string[] {
  return entries
    .filter(([people]) => people > 0)
    .toSorted(([a], [b]) => b - a)
    .map(([people, why]) => `    ${count(people)} ${why}`);
}

/** The rejects for people: by fault, with the first few of each. */
export function describeRejects(
  groups: readonly RejectGroup[],
  unit: string,
  samples: SampleOptions = {},
): string[] {
  const show = sampled(samples);
  return groups.flatMap(({ code, message, count: all, examples }) => {
    const more = all - examples.length;
    const places = examples.map(
      (each) => `${whereOf(each, unit)}${placeOf(each.field, message)}${otherSideOf(each, unit, show)}`,
    );
    const rest = more > 0 ? ` and ${plural(more, `more ${unit}`)}` : '';
    return [
      `    ${count(all)} ${printable(message || 'no reason was given')} (${printable(code)})`,
      `      ${places.join(', ')}${rest}`,
    ];
  });
}

/** The user or record that has the key. */
function otherSideOf(
  { otherUserId, otherLine, otherFile }: LoggedReject,
  unit: string,
  show: (text: string) => string,
): string {
  if (otherUserId !== undefined) return ` (user ${printable(show(otherUserId))} has it)`;
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
