import { externalUserId, idPrefix } from '../../schema/fields.ts';
import { invalid, type Problem } from './problem.ts';

/** @param id of a valid form @returns the user's external id, or the problem with it */
export function prefixedId(id: string | undefined, prefix = ''): string | Problem | undefined {
  if (typeof id !== 'string' || prefix === '') return id;
  const whole = prefix + id;
  const { maxLength } = externalUserId;
  if (whole.length <= maxLength) return whole;
  return invalid(
    'externalUserId',
    `with the prefix of the import it has ${whole.length} characters, and ${maxLength} at most are possible: choose a shorter idPrefix (--id-prefix)`,
  );
}

const prefixPattern = new RegExp(idPrefix.pattern);

/** @returns what is wrong with a prefix, if anything */
export function faultOfPrefix(prefix: string): string | undefined {
  return prefixPattern.test(prefix) ? undefined : idPrefix['x-why'].pattern;
}
