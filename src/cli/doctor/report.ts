/** The doctor's findings, for people and for programs. */

import type { Examination } from '../../hashes/doctor/examination.ts';
import type { Step } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { plural, printable, table } from '../output/format.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';
import { kindTitle } from '../output/passwords.ts';

/** A pair of the file, and its finding. */
export interface ExaminedPair {
  readonly row: number;
  readonly email: string | undefined;
  readonly examination: Examination;
}

/** Whether there is nothing to repair. */
export function isSound({ code }: Examination): boolean {
  return code === 'RIGHT' || code === 'RECOGNISED';
}

export function examinationText(examination: Examination): string {
  const { code, description, message, advice, parameter, skipped } = examination;
  const lines = [
    ...(description === undefined ? [] : [description]),
    `${code}: ${message}`,
    ...advice.map((each) => `- ${each}`),
    ...(isSound(examination) || parameter === undefined ? [] : [`Look at: ${parameter}`]),
    ...(skipped > 0 ? [`${plural(skipped, 'change')} not tried: they would take too long`] : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

export function examinationAsJson(examination: Examination): string {
  return asJson('doctor', shown(examination));
}

/** Without the fingerprints of wrongly decrypted values, which are useless to a reader. */
function shown(examination: Examination): object {
  return { ...examination, keys: undefined };
}

/** Counts by kind, then each advice once. */
export function pairsText(pairs: readonly ExaminedPair[]): string {
  const rows = talliesOf(pairs).map(({ kind, pairs: all, right, repaired, wrong }) => [
    `  ${kindTitle(kind)}`,
    all,
    right,
    repaired,
    wrong,
  ]);
  const lines = [
    `${plural(pairs.length, 'pair')} examined`,
    ...table([['  kind', 'pairs', 'right', 'repaired', 'wrong'], ...rows]),
    ...findingsOf(pairs),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

export function pairsAsJson(pairs: readonly ExaminedPair[], next: readonly Step[]): string {
  const each = pairs.map(({ row, email, examination }) => ({ row, email, ...shown(examination) }));
  return asJson('doctor', { kinds: talliesOf(pairs), pairs: each }, next);
}

/** The same pairs, as they may be shown. */
export function withSamples(pairs: readonly ExaminedPair[], options: SampleOptions): ExaminedPair[] {
  const show = sampled(options);
  return pairs.map((pair) => ({ ...pair, email: pair.email === undefined ? undefined : show(pair.email) }));
}

interface Tally {
  readonly kind: string;
  readonly pairs: number;
  readonly right: number;
  readonly repaired: number;
  readonly wrong: number;
}

function talliesOf(pairs: readonly ExaminedPair[]): Tally[] {
  const byKind = Map.groupBy(pairs, ({ examination }) => examination.kind ?? 'unknown');
  return [...byKind].map(([kind, group]) => {
    const right = group.filter(({ examination }) => isSound(examination)).length;
    const repaired = group.filter(({ examination }) => examination.code === 'REPAIRED').length;
    return { kind, pairs: group.length, right, repaired, wrong: group.length - right - repaired };
  });
}

/** Rows that are named for each finding. */
const namedRows = 5;

function findingsOf(pairs: readonly ExaminedPair[]): string[] {
  const open = pairs.filter(({ examination }) => !isSound(examination));
  const groups = Map.groupBy(open, ({ examination: { code, kind, repair, advice } }) =>
    JSON.stringify([code, kind, repair, advice]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { code, kind = 'unknown', message, advice, parameter } = first.examination;
    return [
      `${code}, ${kindTitle(kind)}, ${rowsText(group)}: ${message}`,
      ...advice.map((each) => `  - ${each}`),
      ...(parameter === undefined ? [] : [`  Look at: ${parameter}`]),
    ];
  });
}

function rowsText(group: readonly ExaminedPair[]): string {
  const named = group
    .slice(0, namedRows)
    .map(({ row, email }) => (email === undefined ? String(row) : `${row} (${email})`))
    .join(', ');
  const more = group.length > namedRows ? ` and ${group.length - namedRows} more` : '';
  return `${group.length === 1 ? 'row' : 'rows'} ${named}${more}`;
}
