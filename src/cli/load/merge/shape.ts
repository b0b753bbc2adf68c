/** The form of JSON that another run of this program has written. */

export type Fields = Readonly<Record<string, unknown>>;

/** `pair`: two numbers. */
type Kind = 'string' | 'number' | 'pair';

/** Kinds by path: `[]` stands for each item of a list, `*` for each field of an object. */
export type Shape = Readonly<Record<string, Kind>>;

export function isShaped(value: unknown, shape: Shape): value is Fields {
  return Object.entries(shape).every(([path, kind]) => fits(value, path.split('.'), kind));
}

function fits(value: unknown, [name, ...below]: readonly string[], kind: Kind): boolean {
  if (name === undefined) return isOf(value, kind);
  if (name === '[]') return Array.isArray(value) && value.every((each) => fits(each, below, kind));
  if (!isObject(value)) return false;
  return name === '*'
    ? Object.values(value).every((each) => fits(each, below, kind))
    : fits(value[name], below, kind);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOf(value: unknown, kind: Kind): boolean {
  if (kind !== 'pair') return typeof value === kind;
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'number');
}
