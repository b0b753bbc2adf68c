/** Forms of the core's own requests and of records; features have their own. */
import { type Fault, firstFault } from './faults.ts';
import { bodyForms, queryForms } from './forms.ts';
import { compileInPlace, dropNulls } from './normalise.ts';
import { closedQueries } from './queries.ts';
import { type RecordName, records } from './records.ts';
import { bodies, queries } from './requests.ts';
import validators from './validators.generated.cjs';

export const inBody = bodyForms(bodies);

export const inQuery = queryForms(queries, closedQueries);

/**
 * Normalises `own` in place and checks it.
 * @param own a record, or a piece of one, that JSON.parse has just returned
 * @returns the first invalid field in the order of the schema, undefined for a valid record
 */
export type RecordForm = (own: Record<string, unknown>) => Fault | undefined;

export function recordForm(name: RecordName): RecordForm {
  const normalise = compileInPlace(records[name]);
  const validate = validators[name];
  return (own) => {
    normalise(own);
    if (validate(own)) return undefined;
    // Few records have null for an absent field, so nulls are removed only after a failure.
    if (dropNulls(records[name], own) && validate(own)) return undefined;
    return firstFault(records[name], own, validate.errors ?? [], false);
  };
}
