/** The columns of a table that show who may sign in, in which sense, and the fields to which they can be mapped. */

import { parseFlag } from '../fields/flags.ts';
import { isGuardName } from '../fields/suspect.ts';
import { unparsable } from '../fields/parsed.ts';
import { mayBy } from '../fields/state-words.ts';
import { parseEvidence, parseUntil } from '../fields/times.ts';
import { type Column, hasForm } from './propose-column.ts';

/** Fields of the native record that block a user. */
export type GuardField = 'isDisabled' | 'deleted' | 'disabledUntil' | 'bannedUntil';

export interface ProposedGuard {
  readonly field: GuardField;
  readonly column: Column;
  /** The right side of the pair: `column`, `!column` or `!column:words`. */
  readonly own: string;
  readonly reason: string;
}

export interface Guards {
  readonly proposed: readonly ProposedGuard[];
  /** Columns that look like guards and whose sense neither name nor values decide, in the order of the file. */
  readonly undecided: readonly Undecided[];
}

export interface Undecided {
  readonly column: Column;
  /** The field that is available for it. undefined if all that accept its values are mapped. */
  readonly field: GuardField | undefined;
}

/**
 * Each guard gets a separate field. A flag can be mapped to each of them, the time of an event only to those that accept one as
 * evidence, an end only to those that accept an end.
 */
export function proposeGuards(columns: readonly Column[]): Guards {
  const readings = columns.map(readingOf).filter((each) => each !== undefined);
  const free = new Set<GuardField>(['isDisabled', 'deleted', 'disabledUntil', 'bannedUntil']);
  const proposed: ProposedGuard[] = [];
  // Those with the fewest choices are first.
  for (const is of ['deleted', 'since', 'until', 'flag'] as const)
    for (const reading of readings.filter((each) => each.is === is)) {
      const field = fieldsFor[is].find((each) => free.has(each));
      if (field === undefined) continue;
      free.delete(field);
      proposed.push({ field, ...reading });
    }
  const decided = new Set(proposed.map(({ column }) => column));
  const undecided = columns.filter((each) => !decided.has(each) && isGuard(each));
  return { proposed, undecided: undecided.map((column) => ({ column, field: freeFor(column, free) })) };
}

/** The time since which a user is blocked would be read as an end by the fields that accept one. */
function freeFor(column: Column, free: ReadonlySet<GuardField>): GuardField | undefined {
  const isOfTimes = column.values.some(
    (value) => !isFlag(value) && isEvidence(value) && !/^\d{1,4}$/.test(value),
  );
  return fieldsFor[isOfTimes ? 'since' : 'flag'].find((each) => free.has(each));
}

const fieldsFor = {
  deleted: ['deleted', 'isDisabled'],
  since: ['isDisabled'],
  until: ['disabledUntil', 'bannedUntil'],
  flag: ['isDisabled', 'disabledUntil', 'bannedUntil'],
} as const;

interface Reading {
  readonly is: keyof typeof fieldsFor;
  readonly column: Column;
  readonly own: string;
  readonly reason: string;
}

const since = '(?:at|on|date|time|since|am|seit|flag)?$';
const deletes = new RegExp(`^(?:is|was)?(?:deleted|removed|trashed|gelöscht|geloescht)${since}`);
const disables = new RegExp(
  `^(?:is|was)?(?:block|blocked|ban|banned|suspended|locked|disabled|deactivated|inactive|gesperrt|blockiert|deaktiviert|inaktiv|gekündigt)${since}`,
);
const ends =
  /^(?:is)?(?:block|blocked|ban|banned|suspend|suspended|suspension|lock|locked|lockout|disabled|silenced|gesperrt|sperre)(?:until|till|end|ends|endsat|enddate|enddateutc|expires|expiresat|expiry|bis)$/;
const enables =
  /^(?:is)?(?:active|aktiv|aktiviert|freigegeben|freigeschaltet|(?:enabled|activated|approved)(?:at|on|date)?)$/;
const states = /^(?:status|state|zustand|(?:user|account|member)st(?:atus|ate))$/;

function readingOf(column: Column): Reading | undefined {
  const is = (pattern: RegExp): boolean => hasForm(column, pattern);
  if (is(states)) return stateOf(column);
  if (is(ends)) return column.values.every(isUntil) ? until(column) : undefined;
  if (!column.values.every(isEvidence)) return undefined;
  if (is(enables)) return enabling(column);
  const word = is(deletes) ? 'deleted' : 'disabled';
  if (word === 'disabled' && !is(disables)) return undefined;
  const kept = column.values.filter((value) => parseEvidence(value) === true).length;
  const asFlag = column.values.length > 0 && column.values.every(isFlag);
  const how = word === 'deleted' ? 'deleted' : asFlag ? 'flag' : 'since';
  const what = asFlag ? 'a flag' : 'a time or a flag';
  return {
    is: how,
    column,
    own: column.name,
    reason: reasonOf(`by its name ${what} of who is ${word}`, kept, column),
  };
}

function until(column: Column): Reading {
  const reason = `by its name until when a user is kept out; ${tried(column)}`;
  return { is: 'until', column, own: column.name, reason };
}

/** An empty cell of such a column blocks: without any filled one it would block everyone. */
function enabling(column: Column): Reading | undefined {
  const yes = column.values.filter((value) => parseEvidence(value) === true).length;
  const isOptional = hasForm(column, /approved/);
  if (column.values.length === 0 || (yes === 0 && isOptional)) return undefined;
  return {
    is: 'flag',
    column,
    own: `!${column.name}`,
    reason: reasonOf('by its name who is active, and the opposite is mapped', column.records - yes, column),
  };
}

/** The values have to decide: unambiguous words, or a flag that most records have. */
function stateOf(column: Column): Reading | undefined {
  const { values, records, name } = column;
  const words = values.map((value) => value.toLowerCase());
  const active = words.filter((word) => mayBy(word) === true);
  if (active.length > 0 && words.every((word) => mayBy(word) !== undefined)) {
    const meaning = [...new Set(active)];
    const own = `!${name}:${meaning.join('|')}`;
    const means = `${meaning.join(' and ')} ${meaning.length === 1 ? 'means' : 'mean'} active, any other word does not`;
    return { is: 'flag', column, own, reason: reasonOf(means, records - active.length, column) };
  }
  const yes = values.filter((value) => parseFlag(value) === true).length;
  if (!values.every(isFlag) || yes * 2 <= values.length) return undefined;
  const means = `a flag that ${yes} of ${values.length} values have, so it marks active users, and the opposite is mapped`;
  return { is: 'flag', column, own: `!${name}`, reason: reasonOf(means, records - yes, column) };
}

function reasonOf(means: string, keptOut: number, column: Column): string {
  if (column.values.length === 0) return `${means}; ${tried(column)}`;
  return `${means}; it keeps out ${keptOut} of ${column.records} records`;
}

function tried({ values, records }: Column): string {
  return values.length === 0
    ? `it is empty in all ${records} records`
    : `${values.length} of ${records} records have one`;
}

const isFlag = (value: string): boolean => parseFlag(value) !== unparsable;
const isEvidence = (value: string): boolean => parseEvidence(value) !== unparsable;
const isUntil = (value: string): boolean => parseUntil(value) !== unparsable;

/** In addition to the names that the report on an import looks for: these are decided before it. */
const furtherNames = /confirm|verified|(?:user|account|member)type$/;
const noGuard = /failed|attempts|token|email|confirm(?:ation)?(?:sent|code|key)|phone|password|passwd/;

/** By its name. */
export function isGuard(column: Column): boolean {
  return column.forms.some(isGuardName) || (hasForm(column, furtherNames) && !hasForm(column, noGuard));
}
