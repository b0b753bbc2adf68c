import { Refusal } from '../domain/errors.ts';
import { alteredWhy, type BodyText, fieldPath, placeOfAltered } from '../domain/json-text.ts';
import { type Fault, firstFault } from './faults.ts';
import type { RequestSchema } from './fields.ts';
import type { InputOf } from './input.ts';
import { compileBody, compileQuery, isObject } from './normalise.ts';
import validators from './validators.generated.cjs';

type Validate = validators.Validate;

type ParsedText = Partial<Omit<BodyText, 'value'>>;

export interface BodyForm<Input = unknown> {
  readonly name: string;
  readonly schema: RequestSchema;
  /**
   * Normalises and checks a body.
   * @param value what JSON.parse returned
   * @param text `escaped`: only escapes can produce U+0000 or a lone surrogate. `altered`: a stored number may be wrong
   * @throws Refusal INVALID_JSON_INPUT, or INVALID_FIELD for the first invalid field; values are never repeated
   */
  parse(value: unknown, text?: ParsedText): Input;
}

export interface QueryForm<Input = unknown> {
  readonly name: string;
  readonly schema: RequestSchema;
  /**
   * Decodes, converts and checks the query of a URL.
   * @throws Refusal MISSING_QUERY_PARAMETER or INVALID_QUERY_PARAMETER for the first invalid parameter
   */
  parse(text: string): Input;
}

export type Schemas = Readonly<Record<string, RequestSchema>>;
export type Inputs<S extends Schemas> = { readonly [N in keyof S]: InputOf<S[N]> };
export type BodyForms<S extends Schemas> = { readonly [N in keyof S]: BodyForm<InputOf<S[N]>> };
export type QueryForms<S extends Schemas> = { readonly [N in keyof S]: QueryForm<InputOf<S[N]>> };

export function bodyForms<const S extends Schemas>(schemas: S): BodyForms<S> {
  const forms = Object.entries(schemas).map(([name, schema]) => [name, bodyForm(name, schema)]);
  // Validators are generated from the schemas that define the types.
  return Object.fromEntries(forms) as BodyForms<S>;
}

/** @param closed names of queries that refuse unknown parameters */
export function queryForms<const S extends Schemas>(
  schemas: S,
  closed: ReadonlySet<string> = new Set(),
): QueryForms<S> {
  const forms = Object.entries(schemas).map(([name, schema]) => [
    name,
    queryForm(name, schema, closed.has(name)),
  ]);
  return Object.fromEntries(forms) as QueryForms<S>;
}

/** @param name of the generated validator */
export function bodyForm(name: string, schema: RequestSchema): BodyForm {
  let validate: Validate | undefined;
  const normalise = compileBody(schema);
  return {
    name,
    schema,
    parse(value, { escaped = true, altered = false } = {}) {
      if (!isObject(value)) throw new Refusal('INVALID_JSON_INPUT');
      validate ??= validatorOf(name);
      const input = normalise(value);
      const errors = validate(input) ? [] : (validate.errors ?? []);
      if (escaped || errors.length > 0) {
        const fault = firstFault(schema, input, errors, escaped);
        if (fault !== undefined) throw refusalOfBody(fault);
      }
      const place = altered ? placeOfAltered(input) : undefined;
      if (place !== undefined)
        throw refusalOfBody({ field: fieldPath(place), kind: 'value', why: alteredWhy });
      return input;
    },
  };
}

function queryForm(name: string, schema: RequestSchema, isClosed: boolean): QueryForm {
  let validate: Validate | undefined;
  const normalise = compileQuery(schema);
  return {
    name,
    schema,
    parse(text) {
      const parameters = decodeQuery(text);
      if (isClosed) refuseUnknown(schema, parameters);
      validate ??= validatorOf(name);
      const input = normalise(parameters);
      const errors = validate(input) ? [] : (validate.errors ?? []);
      const fault = firstFault(schema, input, errors, true);
      if (fault !== undefined) throw refusalOfQuery(fault);
      return input;
    },
  };
}

/** Looked up late: the generator loads the forms before a new one has a validator. */
function validatorOf(name: string): Validate {
  const validate = validators[name];
  if (validate === undefined) throw new Error(`no validator of ${name}: run "npm run generate"`);
  return validate;
}

/** The first of several parameters of a name counts, as in the interface that this core follows. */
function decodeQuery(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  if (text === '') return parameters;
  for (const part of text.split('&')) {
    const end = part.indexOf('=');
    const name = decodePart(end < 0 ? part : part.slice(0, end));
    const value = end < 0 ? '' : decodePart(part.slice(end + 1));
    // Names that are not UTF-8 are ignored; such a value is refused with its field's name.
    if (name !== undefined && !parameters.has(name)) parameters.set(name, value ?? '\0');
  }
  return parameters;
}

function refuseUnknown(schema: RequestSchema, parameters: ReadonlyMap<string, string>): void {
  const known = Object.keys(schema.properties);
  const unknown = [...parameters.keys()].filter((each) => !known.includes(each));
  if (unknown.length === 0) return;
  const shown = unknown.slice(0, 5).map((each) => (/^[\w.-]{1,64}$/.test(each) ? `'${each}'` : 'another'));
  throw new Refusal(
    'INVALID_QUERY_PARAMETER',
    `Unknown in GET request: ${shown.join(', ')}. Known here: ${known.join(', ')}`,
  );
}

function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function refusalOfBody({ field, kind, why, message }: Fault): Refusal {
  const sentence = `Field name '${field}' is invalid in JSON input`;
  return new Refusal('INVALID_FIELD', message ?? (kind === 'value' ? `${sentence}: ${why}` : sentence));
}

function refusalOfQuery({ field, kind, why, message }: Fault): Refusal {
  if (kind === 'missing') {
    return new Refusal('MISSING_QUERY_PARAMETER', `Field name '${field}' is missing in GET request`);
  }
  const sentence = `Field name '${field}' is invalid in GET request: ${why}`;
  // A reason that names the field is the interface's whole message.
  const ofDriver = why.startsWith(`${field} `) ? { driverMessage: why } : {};
  return new Refusal('INVALID_QUERY_PARAMETER', message ?? sentence, ofDriver);
}
