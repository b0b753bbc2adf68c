/** Rows of import_jobs, by the table of their fields. */

import { type ColumnForm, mapColumns } from '../../../domain/columns.ts';
import {
  insertedJobFields,
  jobFields,
  jobOutcomes,
  type JobRow,
  readJobFields,
} from '../../../domain/jobs/job-fields.ts';
import { namesOf, readFrom } from '../../../database/relation.ts';
import type { Parameter } from '../../../database/database.ts';
import type { Absence } from '../../../imports/absence.ts';
import type { Job, NewJob } from '../../../imports/model.ts';

/** The table's numbers for states. */
export const stateNumbers = jobFields.state.words;

/** Columns that {@link jobOf} reads: a list for `select` or `returning`. */
export const jobColumns = jobColumnsOf('import_jobs');

/** @param relation with the columns of the table */
export function jobColumnsOf(relation: string): string {
  return readFrom(relation, readJobFields);
}

interface Field extends ColumnForm {
  readonly words?: Readonly<Record<string, number>>;
  readonly unstated?: Parameter;
}

/** From the column's cell to the job's value. */
const readers = mapColumns(readJobFields, ({ words }: Field) => {
  if (words === undefined) return (cell: unknown) => cell ?? undefined;
  const byNumber = new Map(Object.entries(words).map(([word, number]) => [number, word]));
  return (cell: unknown) => (cell === null ? undefined : known(byNumber.get(cell as number)));
});

export function jobOf(row: JobRow): Job {
  const { absentKnown, absentCount, absentActive, absentDone, absentRefused, ...fields } = mapColumns(
    readJobFields,
    (_, name) => readers[name](row[name]),
  );
  const absence = { known: absentKnown, count: absentCount, active: absentActive, done: absentDone };
  const found = absentKnown === undefined ? undefined : { ...absence, refused: absentRefused };
  // Each value has the type that its column is described with.
  return { ...fields, absence: found as Absence | undefined } as unknown as Job;
}

/** A newer core would have migrated first. */
function known(word: string | undefined): string {
  if (word === undefined) throw new Error('an import job has a number that this core does not know');
  return word;
}

/** Columns of a new job's row, in addition to the app. */
export const insertedNames = namesOf(insertedJobFields);
/** Their values, as parameters from $2 on. */
export const insertedValues = Object.values(insertedJobFields)
  .map(({ type }, place) => `$${place + 2}::${type}`)
  .join(', ');

/** In the order of `insertedValues`. */
export function insertedOf(job: NewJob & Pick<Job, 'id' | 'startedAt'>): Parameter[] {
  const stated = new Map<string, unknown>(Object.entries(job));
  return Object.entries<Field>(insertedJobFields).map(([name, { words, unstated = null }]) => {
    const value = stated.get(name);
    if (value === undefined) return unstated;
    return words === undefined ? (value as Parameter) : (words[value as string] ?? null);
  });
}

/** The sum of a job's outcomes. @param of the expression for an outcome, by its name */
export function sumOfOutcomes(of: (name: keyof typeof jobOutcomes) => string): string {
  return Object.values(mapColumns(jobOutcomes, (_, name) => of(name))).join(' + ');
}
