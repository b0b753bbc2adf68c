import { type Fault, firstFault } from './faults.ts';
import { compileInPlace } from './normalise.ts';
import { type RecordName, records } from './records.ts';
import validators from './validators.generated.cjs';

/**
 * Normalises `own` in place and checks it: a record of an import, or a piece of one.
 * @param own what JSON.parse has just returned
 * @returns the first failing field in the order of the schema, undefined when there is none
 */
export type RecordForm = (own: Record<string, unknown>) => Fault | undefined;

/** The form of records called `name`. */
export function recordForm(name: RecordName): RecordForm {
  const normalise = compileInPlace(records[name]);
  const validate = validators[name];
  return (own) => {
    normalise(own);
    return validate(own) ? undefined : firstFault(records[name], own, validate.errors ?? [], false);
  };
}
