import { spellEmail } from '../domain/email.ts';
import type { FieldSchema } from './fields.ts';

/** Normalises one value; a value of the wrong type is returned unchanged, for the validator. */
type Convert = (value: unknown) => unknown;

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Compiles a body's normaliser. It copies the declared fields into a new object, so unknown fields, `__proto__` and inherited
 * ones are dropped. An optional field that is null is left out, unless its schema accepts null.
 */
export function compileBody(schema: FieldSchema): (source: Fields) => Fields {
  const steps = Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    convert: bodyField(field),
    ignoresNull: ignoresNull(schema, name),
  }));
  return (source) => {
    const input: Record<string, unknown> = {};
    for (const { name, convert, ignoresNull } of steps) {
      if (!Object.hasOwn(source, name)) continue;
      const value = source[name];
      if (value !== null || !ignoresNull) input[name] = convert(value);
    }
    return input;
  };
}

/** Clients send null for a value that they do not have. */
function ignoresNull({ properties = {}, required = [] }: FieldSchema, name: string): boolean {
  const type = properties[name]?.type ?? [];
  return !required.includes(name) && !(typeof type === 'string' ? [type] : type).includes('null');
}

/**
 * Removes optional null fields from a value that JSON.parse has just returned.
 * @returns whether there were any
 */
export function dropNulls(schema: FieldSchema, own: Record<string, unknown>): boolean {
  let found = false;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = own[name];
    if (value === null && ignoresNull(schema, name)) {
      own[name] = undefined;
      found = true;
    } else if (isObject(value)) found = dropNulls(field, value) || found;
    else if (field.items !== undefined && Array.isArray(value))
      for (const each of value) if (isObject(each)) found = dropNulls(field.items, each) || found;
  }
  return found;
}

/**
 * The same in place, for a value that JSON.parse has just returned: saves a copy of each record of an import. JSON.parse treats
 * `__proto__` as a plain name, so such an object inherits no fields.
 */
export function compileInPlace(schema: FieldSchema): (own: Record<string, unknown>) => void {
  const steps = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const convert = ownField(field);
    return convert === undefined ? [] : [{ name, convert }];
  });
  return (own) => {
    for (const { name, convert } of steps) {
      const value = own[name];
      if (value !== undefined) own[name] = convert(value);
    }
  };
}

/** undefined for a field that needs no change. */
function ownField(field: FieldSchema): Convert | undefined {
  if (field.items !== undefined) {
    const convert = ownField(field.items);
    return convert && ((value) => (Array.isArray(value) ? value.map(convert) : value));
  }
  if (field.properties === undefined) return field['x-normalise'] && textField(field);
  const change = compileInPlace(field);
  return (value) => {
    if (isObject(value)) change(value);
    return value;
  };
}

/** The same for a query: booleans, integers and lists are read from text. */
export function compileQuery(schema: FieldSchema): (source: ReadonlyMap<string, string>) => Fields {
  const steps = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, queryField(field)] as const,
  );
  return (source) => {
    const input: Record<string, unknown> = {};
    for (const [name, convert] of steps) {
      const value = source.get(name);
      if (value !== undefined) input[name] = convert(value);
    }
    return input;
  };
}

function bodyField(field: FieldSchema): Convert {
  if (field.properties !== undefined) {
    const convert = compileBody(field);
    return (value) => (isObject(value) ? convert(value) : value);
  }
  if (field.items?.properties !== undefined) {
    const convert = bodyField(field.items);
    return (value) => (Array.isArray(value) ? value.map(convert) : value);
  }
  if (field.items?.['x-normalise'] !== undefined) {
    const convert = textField(field.items);
    return (value) => (Array.isArray(value) ? value.map(convert) : value);
  }
  return textField(field);
}

const normalisers = {
  trim: (text: string) => text.trim(),
  lower: (text: string) => text.trim().toLowerCase(),
  email: spellEmail,
};

function textField(field: FieldSchema): Convert {
  if (field['x-normalise'] === undefined) return (value) => value;
  const normalise = normaliserOf(field);
  return (value) => (typeof value === 'string' ? normalise(value) : value);
}

/** Normalises a text outside of a request as `field` declares. */
export function normaliserOf(field: FieldSchema): (text: string) => string {
  const kind = field['x-normalise'];
  return kind === undefined ? (text) => text : normalisers[kind];
}

const truth: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Clients send an empty list as an empty text. */
function listOf(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

function queryField(field: FieldSchema): (text: string) => unknown {
  if (field['x-commaList'] === true) return listOf;
  if (field.type === 'boolean') return (text) => truth[text.toLowerCase()] ?? text;
  if (field.type === 'integer') return (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text);
  return textField(field);
}
