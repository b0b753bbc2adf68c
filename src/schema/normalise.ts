import { spellEmail } from '../domain/email.ts';
import type { FieldSchema } from './fields.ts';

/** Brings one value into the form that is checked; what has the wrong type is passed on for the validator. */
type Convert = (value: unknown) => unknown;

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is what JSON calls an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Compiles the annotations of a body's schema. The result copies the declared fields into a fresh object:
 * unknown fields fall away, and neither `__proto__` nor anything inherited can pose as a field. An optional field that is
 * null is left out, but where its schema gives null a meaning.
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

/** Whether null is as good as nothing: clients send it for a value that they do not have. */
function ignoresNull({ properties = {}, required = [] }: FieldSchema, name: string): boolean {
  const type = properties[name]?.type ?? [];
  return !required.includes(name) && !(typeof type === 'string' ? [type] : type).includes('null');
}

/**
 * The same rule for what JSON.parse has just returned and no other code holds: optional fields that are null are removed.
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
 * The same for what JSON.parse has just returned and nothing else references: changes the declared fields in place, which
 * spares a copy of each record of an import. Such an object inherits nothing that could pose as a field: for JSON.parse
 * `__proto__` is a name like any other.
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

/** undefined for a field that is checked as it is. */
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

/** The same for a query, whose values are all text: booleans, integers and lists are read from it. */
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

/** For a text outside of a request: what normalising makes of it where `field` is declared. */
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
