/** The forms of the requests that the heart answers, and of records of imports; a feature has its own. */
import { type Fault, firstFault } from './faults.ts';
import { bodyForms, queryForms } from './forms.ts';
import { compileInPlace, dropNulls } from './normalise.ts';
import { closedQueries } from './queries.ts';
import { type RecordName, records } from './records.ts';
import { bodies, queries } from './requests.ts';
import validators from './validators.generated.cjs';

/** By name, bodies of requests. */
export const inBody = bodyForms(bodies);

/** By name, query parameters of requests. */
export const inQuery = queryForms(queries, closedQueries);

/**
 * Normalises `own` in place and checks it: a record of an import, or a piece of one.
 * @param own what JSON.parse has just returned
 * @returns the first failing field in the order of the schema, undefined for a valid record
 */
export type RecordForm = (own: Record<string, unknown>) => Fault | undefined;

/** The form of records called `name`. */
export function recordForm(name: RecordName): RecordForm {
  const normalise = compileInPlace(records[name]);
  const validate = validators[name];
  return (own) => {
    normalise(own);
    if (validate(own)) return undefined;
    // Hardly any record has null for what it leaves out, so records are not searched for it before.
    if (dropNulls(records[name], own) && validate(own)) return undefined;
    return firstFault(records[name], own, validate.errors ?? [], false);
  };
}
