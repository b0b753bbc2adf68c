/**
 * The transforms of the typed password before hashing: `slashed,md5-hex`, in the order of application. If a source was not
 * consistent, several such lists with `|` between them: each is tried. `typed` is the empty list.
 *
 * A stored hash is preceded by them: `$password-as$slashed,md5-hex$` and the hash as it would be stored without.
 */

import { isStepName, stepKinds, stepNames, type StepName } from './steps.ts';

export interface Step {
  readonly name: StepName;
  /** The text of `prefix` and `suffix`: a secret, which stays out of logs and messages. */
  readonly text?: string;
}

/** Steps in the order of application. */
export type Form = readonly Step[];

/** One or more forms, of which any may be the right one. */
export type PasswordForms = readonly Form[];

/** The name of the form without steps. */
export const asTyped = 'typed';

/** Each is a separate verification for a password that it changes. */
const mostForms = 3;
const mostSteps = 8;
/** Characters of prefix or suffix. */
const mostTextCharacters = 128;
/** Characters of all forms, as written. */
export const formsCharactersLimit = 1024;

const mark = '$password-as$';

/** The fault of a text of forms: public text without the secrets in it. */
export interface FormsFault {
  readonly message: string;
}

/** The forms that `text` names, undefined for `typed` alone: no transform. */
export function parseForms(text: string): PasswordForms | undefined | FormsFault {
  if (text.length > formsCharactersLimit)
    return { message: `must not have more than ${formsCharactersLimit} characters` };
  const parts = text.split('|');
  if (parts.length > mostForms) return { message: `must not have more than ${mostForms} forms` };
  const forms: Form[] = [];
  for (const part of parts) {
    const form = parseForm(part);
    if ('message' in form) return form;
    forms.push(form);
  }
  return forms.some((form) => form.length > 0) ? forms : undefined;
}

function parseForm(text: string): Form | FormsFault {
  if (text.trim() === asTyped) return [];
  const names = text.split(',');
  if (names.length > mostSteps) return { message: `must not have more than ${mostSteps} steps in a form` };
  const steps: Step[] = [];
  for (const name of names) {
    const step = parseStep(name);
    if ('message' in step) return step;
    steps.push(step);
  }
  return faultOfOrder(steps) ?? steps;
}

function parseStep(written: string): Step | FormsFault {
  const end = written.indexOf('=');
  const name = (end < 0 ? written : written.slice(0, end)).trim();
  if (!isStepName(name)) return unknownStep(name, end >= 0);
  if (stepKinds[name].takesText !== true)
    return end < 0 ? { name } : { message: `${name} must not have a text of its own` };
  const text = end < 0 ? undefined : decoded(written.slice(end + 1));
  if (text === undefined || text === '')
    return {
      message: `${name} must have a text, such as ${name}=abc, in which %2C is a comma, %7C a | and %25 a %`,
    };
  if (text.length > mostTextCharacters)
    return { message: `the text of ${name} must not have more than ${mostTextCharacters} characters` };
  return { name, text };
}

/** A name with a text may be a misspelt `prefix`: the text is not repeated. */
function unknownStep(name: string, hasText: boolean): FormsFault {
  const known = [asTyped, ...stepNames.map(written)].join(', ');
  const shown = /^[\w-]{1,24}$/.test(name) ? `'${name}${hasText ? '=…' : ''}'` : 'one of the names';
  return { message: `${shown} is not known; known are: ${known}` };
}

function written(name: StepName): string {
  return stepKinds[name].takesText === true ? `${name}=TEXT` : name;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** After Latin-1 or raw digests the value is no longer a text. */
function faultOfOrder(steps: Form): FormsFault | undefined {
  let last: Step | undefined;
  for (const step of steps) {
    const { takes, gives } = stepKinds[step.name];
    if (takes === 'text' && last !== undefined)
      return { message: `${step.name} must come before ${last.name}: it changes text, not bytes` };
    if (gives !== undefined) last = gives === 'bytes' ? step : undefined;
  }
  return undefined;
}

/** In the canonical spelling that parseForms reads. */
export function formsText(forms: PasswordForms): string {
  return textOf(forms, encoded);
}

/** For people: prefix and suffix without their texts. */
export function shownForms(forms: PasswordForms): string {
  return textOf(forms, () => '…');
}

export function hasSecret(forms: PasswordForms): boolean {
  return forms.flat().some(({ text }) => text !== undefined);
}

function textOf(forms: PasswordForms, shown: (text: string) => string): string {
  return forms
    .map((form) =>
      form.length === 0
        ? asTyped
        : form.map(({ name, text }) => (text === undefined ? name : `${name}=${shown(text)}`)).join(','),
    )
    .join('|');
}

/** Without commas, `|`, `$` and white space. decodeURIComponent never returns lone surrogates. */
function encoded(text: string): string {
  return encodeURIComponent(text);
}

/** A hash string and the forms stated before it; undefined: none. */
export interface Stated {
  readonly forms: string | undefined;
  readonly hash: string;
}

/** Splits a hash string. One check of its beginning if nothing is stated. */
export function statedIn(hash: string): Stated {
  if (!hash.startsWith(mark)) return { forms: undefined, hash };
  const end = hash.indexOf('$', mark.length);
  return end < 0
    ? { forms: '', hash: '' }
    : { forms: hash.slice(mark.length, end), hash: hash.slice(end + 1) };
}

/** `hash` with its forms before it. @param forms as formsText writes them */
export function stating(forms: string, hash: string): string {
  return `${mark}${forms}$${hash}`;
}

/** The inverse of `statedIn`. */
export function asStated({ forms, hash }: Stated): string {
  return forms === undefined ? hash : stating(forms, hash);
}

/**
 * `hash` with the forms from a separate field.
 * @param text forms, as a record or a flag has them
 */
export function statedBeside(hash: string, text: string): string | FormsFault {
  const forms = parseForms(text);
  if (forms === undefined) return hash;
  if ('message' in forms) return forms;
  const inside = statedIn(hash).forms;
  if (inside === undefined) return stating(formsText(forms), hash);
  return inside === formsText(forms)
    ? hash
    : { message: 'must be what the hash itself begins with, or left out' };
}

/** The inputs that may have been hashed for a typed password, each once, in the order of the forms. */
export function passwordsBy(forms: PasswordForms, password: Buffer): readonly Buffer[] {
  const passwords: Buffer[] = [];
  for (const form of forms) {
    const changed = changedBy(form, password);
    if (!passwords.some((each) => each.equals(changed))) passwords.push(changed);
  }
  return passwords;
}

/** The result of `form` for a password. */
export function changedBy(form: Form, password: Buffer): Buffer {
  return form.reduce((last, { name, text = '' }) => stepKinds[name].apply(last, Buffer.from(text)), password);
}

/** Whether `form` distinguishes `password` from all others: no step of it lost information. */
export function isKeptBy(form: Form, password: Buffer): boolean {
  let last = password;
  for (const { name, text = '' } of form) {
    const kind = stepKinds[name];
    const next = kind.apply(last, Buffer.from(text));
    if (kind.isLossy === true && !isSame(name, next, last)) return false;
    last = next;
  }
  return true;
}

function isSame(name: StepName, next: Buffer, last: Buffer): boolean {
  return next.toString(name === 'latin1' ? 'latin1' : 'utf8') === last.toString('utf8');
}
