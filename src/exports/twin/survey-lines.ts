/** Reads an original for the first time: its values, as digests, and the classes of its hashes. */

import { classOf, readHash } from './hash-class.ts';
import { digestOfPart, eachPart, eachPartOfHash } from './originals.ts';
import { declaredNames, type Fields } from './record.ts';
import { linesIn, objectIn } from './replace-lines.ts';
import type { HashClass, Surveyed, SurveyTask } from './tasks.ts';

/** As many kinds and costs as are made; the hashes of further ones have no known password. */
const classesLimit = 256;

export function surveyLines({ lines }: SurveyTask): Surveyed {
  const digests: number[] = [];
  const classes: Record<string, HashClass> = {};
  const counts = { lines: 0, passwords: 0 };
  const add = (part: string): void => {
    digests.push(digestOfPart(part));
  };
  for (const { text = '' } of linesIn(lines)) {
    const own = objectIn(text);
    counts.lines += 1;
    if (own === undefined) eachPart(text, add);
    else addValues(own, add);
    for (const fields of hashesIn(own)) {
      counts.passwords += 1;
      addClass(classes, fields);
    }
  }
  return { originals: Float64Array.from(digests), classes, ...counts };
}

export const hashNames: ReadonlySet<string> = new Set(['passwordHash', 'hash', 'passwordTransforms']);

/**
 * Every text, name and number of six characters, whether it is of a declared field or not.
 * @param field the declared field that the value is of; empty within metadata, whose names are the original's
 */
function addValues(value: unknown, add: (part: string) => void, field = ''): void {
  if (typeof value === 'string') (hashNames.has(field) ? eachPartOfHash : eachPart)(value, add);
  else if (typeof value === 'number') eachPart(String(Math.abs(value)), add);
  else if (Array.isArray(value)) for (const each of value) addValues(each, add, field);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inside] of Object.entries(value)) {
      const isDeclared = declaredNames.has(name) && field !== 'userMetadata';
      if (!isDeclared) eachPart(name, add);
      addValues(inside, add, isDeclared ? name : 'userMetadata');
    }
  }
}

function* hashesIn(own: Fields | undefined): Generator<Parameters<typeof readHash>[0]> {
  for (const list of [own?.loginMethods, own?.backupCodes]) {
    if (!Array.isArray(list)) continue;
    for (const each of list as (Fields | null)[]) {
      if (typeof each !== 'object' || each === null) continue;
      const {
        passwordHash,
        hash = passwordHash,
        plainTextPassword,
        hashingAlgorithm,
        passwordTransforms,
      } = each;
      if (typeof hash === 'string') yield { hash, hashingAlgorithm, passwordTransforms };
      else if (typeof plainTextPassword === 'string') yield { hash: undefined };
    }
  }
}

function addClass(classes: Record<string, HashClass>, fields: Parameters<typeof readHash>[0]): void {
  const found = readHash(fields);
  if (found === undefined) return;
  const known = classes[found.key];
  if (known !== undefined) classes[found.key] = { ...known, users: known.users + 1 };
  else if (Object.keys(classes).length < classesLimit) classes[found.key] = classOf(found);
}
