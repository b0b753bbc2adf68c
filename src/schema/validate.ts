import { Refusal } from '../domain/errors.ts';
import { alteredWhy, type BodyText, fieldPath, placeOfAltered } from '../domain/json-text.ts';
import { type Fault, firstFault } from './faults.ts';
import type { RequestSchema } from './fields.ts';
import { compileBody, compileInPlace, compileQuery, dropNulls, isObject } from './normalise.ts';
import { closedQueries } from './queries.ts';
import { type RecordName, records } from './records.ts';
import { bodies, queries } from './requests.ts';
import type { BodyInputs, BodyName, QueryInputs, QueryName } from './requests.ts';
import validators from './validators.generated.cjs';

const bodyForms = compileEach(bodies, compileBody);
const queryForms = compileEach(queries, compileQuery);

/**
 * Normalises and checks a request body.
 * @param value what JSON.parse returned
 * @param text what is known of the JSON text. `escaped`: without an escape no text can hold U+0000 or a lone surrogate, since
 *   raw control characters are not JSON and raw surrogates are not UTF-8. `altered`: a number that is stored may be wrong
 * @throws Refusal INVALID_JSON_INPUT, or INVALID_FIELD for the first failing field; values are never repeated
 */
export function parseBody<N extends BodyName>(
  name: N,
  value: unknown,
  { escaped = true, altered = false }: Partial<Omit<BodyText, 'value'>> = {},
): BodyInputs[N] {
  if (!isObject(value)) throw new Refusal('INVALID_JSON_INPUT');
  const input = bodyForms[name](value);
  const validate = validators[name];
  const errors = validate(input) ? [] : (validate.errors ?? []);
  if (escaped || errors.length > 0) {
    const fault = firstFault(bodies[name], input, errors, escaped);
    if (fault !== undefined) throw refusalOfBody(fault);
  }
  const place = altered ? placeOfAltered(input) : undefined;
  if (place !== undefined) throw refusalOfBody({ field: fieldPath(place), kind: 'value', why: alteredWhy });
  // The validator was generated from the same schema as the type.
  return input as BodyInputs[N];
}

/**
 * Decodes, converts and checks the part of a URL behind the question mark.
 * @throws Refusal MISSING_QUERY_PARAMETER or INVALID_QUERY_PARAMETER for the first failing parameter
 */
export function parseQuery<N extends QueryName>(name: N, text: string): QueryInputs[N] {
  const parameters = decodeQuery(text);
  if (closedQueries.has(name)) refuseUnknown(name, parameters);
  const input = queryForms[name](parameters);
  const validate = validators[name];
  const errors = validate(input) ? [] : (validate.errors ?? []);
  const fault = firstFault(queries[name], input, errors, true);
  if (fault !== undefined) throw refusalOfQuery(fault);
  return input as QueryInputs[N];
}

/**
 * Normalises `own` in place and checks it: a record of an import, or a piece of one.
 * @param own what JSON.parse has just returned
 * @returns the first failing field in the order of the schema, undefined for a valid record
 */
export type RecordForm = (own: Record<string, unknown>) => Fault | undefined;

/** The form of records called `name`. */
export function recordForm(name: RecordName): RecordForm {
  const normalise = compileInPlace(records[name]);
  const validate = validators[name];
  return (own) => {
    normalise(own);
    if (validate(own)) return undefined;
    // Hardly any record has null for what it leaves out, so records are not searched for it before.
    if (dropNulls(records[name], own) && validate(own)) return undefined;
    return firstFault(records[name], own, validate.errors ?? [], false);
  };
}

function compileEach<N extends string, T>(
  schemas: Readonly<Record<N, RequestSchema>>,
  compile: (schema: RequestSchema) => T,
): Readonly<Record<N, T>> {
  const names = Object.keys(schemas) as N[];
  return Object.fromEntries(names.map((name) => [name, compile(schemas[name])])) as Record<N, T>;
}

/** The first of several parameters of one name counts, as in the interface that this core follows. */
function decodeQuery(text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  if (text === '') return parameters;
  for (const part of text.split('&')) {
    const end = part.indexOf('=');
    const name = decodePart(end < 0 ? part : part.slice(0, end));
    const value = end < 0 ? '' : decodePart(part.slice(end + 1));
    // A name that is not UTF-8 is not one of ours; such a value is refused by its field's name.
    if (name !== undefined && !parameters.has(name)) parameters.set(name, value ?? '\0');
  }
  return parameters;
}

function refuseUnknown(name: QueryName, parameters: ReadonlyMap<string, string>): void {
  const known = Object.keys(queries[name].properties);
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
  // A reason that names the field is the whole text of the interface.
  const ofDriver = why.startsWith(`${field} `) ? { driverMessage: why } : {};
  return new Refusal('INVALID_QUERY_PARAMETER', message ?? sentence, ofDriver);
}
