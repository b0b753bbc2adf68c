import { SourceFault } from './fields.ts';

/** Reads secrets that the environment holds or names. */
export interface SecretReader {
  readonly env: (where: string, name: string) => string;
  readonly file: (where: string, path: string) => string;
}

interface NamedField {
  readonly setting: string;
  /** An element of the list, in messages. */
  readonly one: string;
  readonly field: string;
}

/**
 * Replaces `<field>_env` and `<field>_file` in each element by what the variable or the file holds.
 * @throws SourceFault if more than one of the three is given
 */
export function readNamedFields(
  list: readonly unknown[],
  { setting, one, field }: NamedField,
  read: SecretReader,
): readonly unknown[] {
  const spellings = [field, `${field}_env`, `${field}_file`];
  return list.map((each, at) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each;
    const element = each as Readonly<Record<string, unknown>>;
    const given = spellings.filter((name) => element[name] !== undefined);
    const [spelling = field] = given;
    const where = `${one} ${at + 1}: '${spelling}'`;
    if (given.length > 1)
      throw new SourceFault(`${where} and '${String(given[1])}' are both given: keep one`);
    if (spelling === field) return each;
    const { [spelling]: named, ...rest } = element;
    const readOne = (name: unknown): string => {
      if (typeof name !== 'string' || name === '')
        throw new SourceFault(`${where} must be text, or a list of texts`);
      return read[spelling === `${field}_env` ? 'env' : 'file'](`${setting}: ${where}`, name);
    };
    return { ...rest, [field]: Array.isArray(named) ? named.map(readOne) : readOne(named) };
  });
}
