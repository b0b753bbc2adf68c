import type { FieldSchema } from './fields.ts';
import type generated from './validators.generated.cjs';
import { type Fields, isObject } from './normalise.ts';

type SchemaError = generated.SchemaError;

/** The first invalid field. `field` is dotted: `email.id`. */
export interface Fault {
  readonly field: string;
  readonly kind: 'missing' | 'type' | 'value';
  /** The end of the sentence "Field name '…' is invalid …: "; for a wrong type, the expected type. */
  readonly why: string;
  /** The whole message, if the contract has its own text. */
  readonly message?: string;
}

const unclean = 'must not contain U+0000 or lone surrogates';

/**
 * Finds the first invalid field, in the order of the schema's properties.
 * @param scan whether to search for characters that PostgreSQL or UTF-8 cannot hold
 */
export function firstFault(
  schema: FieldSchema,
  input: Fields,
  errors: readonly SchemaError[],
  scan: boolean,
): Fault | undefined {
  return faultIn(schema, input, { errors, scan, prefix: '' });
}

interface Search {
  readonly errors: readonly SchemaError[];
  readonly scan: boolean;
  readonly prefix: string;
}

function faultIn(schema: FieldSchema, input: Fields, search: Search): Fault | undefined {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const fault = faultOf(field, input[name], { ...search, prefix: `${search.prefix}/${name}` });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(field: FieldSchema, value: unknown, search: Search): Fault | undefined {
  const name = search.prefix.slice(1).replaceAll('/', '.');
  if (field.properties !== undefined && isObject(value)) return faultIn(field, value, search);
  // Faults name the element and its field: `userRoles.0.role`. In lists of other values they name the list.
  if (field.items?.type === 'object' && Array.isArray(value)) {
    const fault = faultInList(field.items, value, search);
    if (fault !== undefined) return fault;
  }
  if (search.scan && isUnclean(value)) return { field: name, kind: 'value', why: unclean };
  const error = search.errors.find((each) => isAbout(each, search.prefix));
  return error === undefined ? undefined : describe(name, field, error);
}

function faultInList(item: FieldSchema, values: readonly unknown[], search: Search): Fault | undefined {
  for (const [place, value] of values.entries()) {
    const fault = faultOf(item, value, { ...search, prefix: `${search.prefix}/${place}` });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isAbout(error: SchemaError, path: string): boolean {
  const at =
    error.params.missingProperty === undefined
      ? error.instancePath
      : `${error.instancePath}/${error.params.missingProperty}`;
  return at === path || at.startsWith(`${path}/`);
}

/**
 * Whether a value contains, at any depth and in names too, a text that cannot be stored. Uses a list instead of recursion: a body
 * of 64 KiB can be nested deeper than the stack.
 */
function isUnclean(root: unknown): boolean {
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) return true;
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) pending.push(name, each);
    }
  }
  return false;
}

function describe(name: string, field: FieldSchema, error: SchemaError): Fault {
  const kind = error.keyword === 'required' ? 'missing' : error.keyword === 'type' ? 'type' : 'value';
  const message = field['x-messages']?.[error.keyword];
  const fault = { field: name, kind, why: field['x-why']?.[error.keyword] ?? reason(field, error) } as const;
  return message === undefined ? fault : { ...fault, message };
}

function reason(field: FieldSchema, { keyword, params }: SchemaError): string {
  switch (keyword) {
    case 'type':
      return field.type === 'boolean' ? 'must be true or false' : `must be of type ${String(field.type)}`;
    case 'minLength':
    case 'minItems':
      return 'must not be empty';
    case 'maxItems':
      return `must have at most ${String(params.limit)} elements`;
    case 'maxLength':
      return `must be at most ${String(params.limit)} characters`;
    case 'x-maxBytes':
      return `must be at most ${String(params.limit)} bytes`;
    case 'enum':
      return `must be one of ${(params.allowedValues ?? []).join(', ')}`;
    case 'minimum':
    case 'maximum':
      if (field.maximum === undefined) return `must be ${String(field.minimum)} or more`;
      return `must be from ${String(field.minimum)} to ${String(field.maximum)}`;
    default:
      return 'must have the form that is documented';
  }
}
