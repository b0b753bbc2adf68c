import { SourceFault } from './fields.ts';

/** Describes a list in its messages. */
export interface Listed {
  /** In the plural. */
  readonly of: string;
  readonly one: string;
  readonly fields: string;
  readonly most: number;
}

/**
 * @param raw a list, or its JSON text as environment variables hold it
 * @returns the elements as written
 * @throws SourceFault
 */
export function listIn(raw: unknown, { of, fields, most }: Listed): readonly unknown[] {
  const list = typeof raw === 'string' ? parsed(raw) : raw;
  if (!Array.isArray(list)) throw new SourceFault(`must be a list of ${of}, each with ${fields}`);
  if (list.length > most) throw new SourceFault(`must list ${most} ${of} or fewer`);
  return list as readonly unknown[];
}

/** @throws SourceFault when two have the same name */
export function requireOwnNames(listed: readonly { readonly name: string }[], { one }: Listed): void {
  const names = listed.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new SourceFault(`${one} '${twice}': 'name' is another ${one}'s too: rename one`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceFault('must be a list, or JSON of one');
  }
}
