import type { WireAnswer } from '../../operations/ports/outgoing.ts';
import { NoAnswer } from './dialect.ts';

export type Json = Readonly<Record<string, unknown>>;

/** @throws NoAnswer unless the answer is a JSON object */
export function jsonOf({ text, status }: WireAnswer): Json {
  const value = parsed(text);
  if (isObject(value)) return value;
  throw new NoAnswer(`its answer of status ${status} is no JSON object`);
}

/** As jsonOf, if an answer without an object is equivalent to an empty one. */
export function perhapsJson({ text }: WireAnswer): Json {
  const value = parsed(text);
  return isObject(value) ? value : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(json: Json, key: string): Json {
  const value = json[key];
  return isObject(value) ? value : {};
}

/** Undefined unless it is a text that is not empty. */
export function textIn(json: Json, key: string): string | undefined {
  const value = json[key];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Some systems use words. */
export function flagIn(json: Json, key: string): boolean | undefined {
  const value = json[key];
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : undefined;
}

/** The texts among them; undefined if it holds no text. */
export function textsIn(json: Json, key: string): readonly string[] | undefined {
  const value = json[key];
  const texts = Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
  return texts.length > 0 ? texts : undefined;
}

/** The present ones among the keys; undefined if all are missing. */
export function some(json: Json, ...keys: readonly string[]): Json | undefined {
  const entries = keys.flatMap((key) => {
    const value = json[key];
    return value === undefined || value === null || value === '' ? [] : [[key, value] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** A person without the fields that are undefined. */
export function present<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}
