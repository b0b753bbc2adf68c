/** The wording of a record's faults: always what is wrong and the cure, never a hash, a password or a secret. */

import type { Fault } from '../../schema/faults.ts';
import type { RejectCode } from '../model.ts';

/** A reject without its line. */
export interface Problem {
  readonly code: RejectCode;
  readonly field: string;
  readonly message: string;
}

/** The sentence that requests get, too. @param why what the value has to be */
export function invalid(field: string, why: string): Problem {
  return { code: 'INVALID_FIELD', field, message: `Field name '${field}' is invalid in JSON input: ${why}` };
}

export function missing(field: string, cure: string): Problem {
  return { code: 'MISSING_FIELD', field, message: `Field name '${field}' is missing: ${cure}` };
}

/** @param prefix the path of the checked part in the record, such as `loginMethods.0.`; empty for the record itself */
export function problemOfFault(fault: Fault, prefix: string): Problem {
  const field = prefix + fault.field;
  if (fault.kind === 'missing') return missing(field, 'every record of this kind needs it');
  if (fault.message !== undefined) return { code: 'INVALID_FIELD', field, message: fault.message };
  return invalid(field, fault.kind === 'type' ? `${fault.why}; leave out what has no value` : fault.why);
}

export const notAnObject: Problem = {
  code: 'INVALID_JSON',
  field: '',
  message:
    'The line is no JSON object: write one whole object on each line, without commas between the lines',
};

export const notUtf8: Problem = {
  code: 'INVALID_JSON',
  field: '',
  message: 'The line is not UTF-8: save the file as UTF-8 and send it again',
};
