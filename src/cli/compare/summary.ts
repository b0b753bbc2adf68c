/** The result of a comparison in numbers. */

import { type Difference, type Kind, differenceKinds, changedSides } from '../../imports/difference.ts';
import type { ChangedBy, DifferenceGroup } from '../../imports/model.ts';
import type { JobView } from '../client/views.ts';
import { count, duration, plural, printable } from '../output/format.ts';

/** How many fields of a group differ, by the side that has changed them. */
export type ByChange = Readonly<Partial<Record<ChangedBy, number>>>;

/** As it is answered to `--json`, and stored with a move. */
export interface ComparisonSummary {
  /** Of the job in the core, which lists the differences until it is purged. */
  readonly job: string;
  /** The label of the source; empty if it has none. */
  readonly source: string;
  /** ms since the epoch: no change from then on is sure to be in it. */
  readonly startedAt: number;
  readonly finishedAt: number;
  /** Records of the source, with those that no import would accept. */
  readonly records: number;
  /** Users who are the same on both sides. */
  readonly equal: number;
  /** Users, each once; `changedHere`: of those who differ, the ones with no other change than some here. */
  readonly users: Readonly<Record<Kind | 'changedHere', number>>;
  readonly fields: Readonly<Partial<Record<DifferenceGroup, ByChange>>>;
  /** Users with a difference that is not explained: at 0 the comparison succeeds. */
  readonly unexplained: number;
  /** SHA-256 of the differences, a line each, in hexadecimal digits. */
  readonly digest: string;
}

/** Counts differences in the order in which they are found. */
export interface Tally {
  readonly users: Record<Kind, number>;
  readonly fields: Partial<Record<DifferenceGroup, Partial<Record<ChangedBy, number>>>>;
  unexplained: number;
  /** Of the users who differ, those with an unexplained difference. */
  differentUnexplained: number;
  /** The last line that differs: one line may have several fields. */
  line: number;
  isLineExplained: boolean;
}

export function emptyTally(): Tally {
  const users = {
    different: 0,
    missingHere: 0,
    removedHere: 0,
    missingThere: 0,
    removedThere: 0,
    madeHere: 0,
    notImportable: 0,
    leftOut: 0,
  };
  return { users, fields: {}, unexplained: 0, differentUnexplained: 0, line: 0, isLineExplained: true };
}

export function addTo(tally: Tally, difference: Difference): void {
  if (difference.is !== 'different') {
    tally.users[difference.is] += 1;
    if (!difference.explained) tally.unexplained += 1;
    return;
  }
  const { line, group, changed, explained } = difference;
  const fields = (tally.fields[group] ??= {});
  fields[changed] = (fields[changed] ?? 0) + 1;
  if (line !== tally.line) {
    tally.users.different += 1;
    tally.line = line;
    tally.isLineExplained = true;
  }
  if (explained || !tally.isLineExplained) return;
  tally.isLineExplained = false;
  tally.unexplained += 1;
  tally.differentUnexplained += 1;
}

interface Ended {
  readonly job: JobView;
  readonly tally: Tally;
  readonly digest: string;
  /** ms since the epoch */
  readonly startedAt: number;
  readonly finishedAt: number;
}

export function summaryOf({ job, tally, digest, startedAt, finishedAt }: Ended): ComparisonSummary {
  const { users, fields, unexplained, differentUnexplained } = tally;
  return {
    job: job.id,
    source: job.source ?? '',
    startedAt,
    finishedAt,
    records: job.lines,
    equal: job.unchanged,
    users: { ...users, changedHere: users.different - differentUnexplained },
    fields,
    unexplained,
    digest,
  };
}

/** For people. @param source its name */
export function summaryText(summary: ComparisonSummary, source: string): string {
  const { records, equal, users, fields, unexplained, startedAt, finishedAt } = summary;
  const took = duration((finishedAt - startedAt) / 1000);
  const lines = [
    `Compared ${plural(records, 'record')} of ${printable(source)} with the users here, in ${took}`,
    `  ${count(equal)} equal`,
    ...differenceKinds.flatMap(([kind, title]) =>
      users[kind] === 0 ? [] : [`  ${count(users[kind])} ${title}`],
    ),
    ...(users.changedHere > 0
      ? [`    of the different, ${count(users.changedHere)} were changed here alone`]
      : []),
    ...Object.entries(fields).map(([group, by]) => `    ${group}: ${describeChanges(by)}`),
    unexplained === 0 ? 'Nothing is unexplained' : `Unexplained: ${plural(unexplained, 'user')}`,
  ];
  return `${lines.join('\n')}\n`;
}

export function describeChanges(by: ByChange): string {
  const names = Object.keys(changedSides) as ChangedBy[];
  return names
    .flatMap((name) => (by[name] === undefined ? [] : [`${count(by[name])} ${changedSides[name]}`]))
    .join(', ');
}
