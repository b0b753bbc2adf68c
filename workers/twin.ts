import '../src/process/node-20.ts';
import { widestLimits } from '../src/config/tenant-settings.ts';
import { eachPartOfHash, hasOriginal, type OriginalTable } from '../src/exports/twin/originals.ts';
import { modelOf, spelledLike } from '../src/exports/twin/hash-model.ts';
import { replaceLines } from '../src/exports/twin/replace-lines.ts';
import { scanLines } from '../src/exports/twin/scan-lines.ts';
import { surveyLines } from '../src/exports/twin/survey-lines.ts';
import type { Made, MakeTask, TwinResult, TwinRules, TwinTask } from '../src/exports/twin/tasks.ts';
import { Replacer } from '../src/exports/twin/values.ts';
import { makeHash } from '../src/hashes/verify/make.ts';

/** One task of a twin. Parses, permutes and computes hashes: it blocks. */
export default function runTask(task: TwinTask): TwinResult<TwinTask> {
  switch (task.type) {
    case 'survey':
      return surveyLines(task);
    case 'make':
      return makeHashes(task);
    case 'replace':
      return replaceLines(task, valuesFor(task.rules, task.stock.originals));
    case 'scan':
      return scanLines(task);
  }
}

let last: { readonly key: string; readonly originals: OriginalTable; readonly values: Replacer } | undefined;

/** A replacer remembers what it has replaced: a thread has one for the run that it works for. */
function valuesFor({ key, now }: TwinRules, originals: OriginalTable): Replacer {
  const name = key.join();
  if (last?.key !== name || last.originals.buffer !== originals.buffer)
    last = { key: name, originals, values: new Replacer(key, originals, now) };
  return last.values;
}

/** A random salt may have a part of the original by chance: then it is made once more. */
const attempts = 3;

function makeHashes({ rules, originals, hashClass, from, count }: MakeTask): Made {
  const values = valuesFor(rules, originals);
  const hash = modelOf(hashClass, rules, values);
  const model = { hash, kind: hashClass.kind, limits: widestLimits, secrets: rules.madeUp };
  const hashes: string[] = [];
  for (let index = from; index < from + count; index++) {
    const password = Buffer.from(values.password(index));
    const made = firstOf(attempts, () => {
      const text = makeHash(model, password, index === 0);
      return text !== undefined && !isOriginal(text, originals) ? text : undefined;
    });
    if (made === undefined) return { hashes: index === from ? [] : hashes };
    hashes.push(spelledLike(hashClass, made));
  }
  return { hashes };
}

function firstOf<Result>(times: number, make: () => Result | undefined): Result | undefined {
  for (let time = 0; time < times; time++) {
    const made = make();
    if (made !== undefined) return made;
  }
  return undefined;
}

function isOriginal(hash: string, originals: OriginalTable): boolean {
  let isFound = false;
  eachPartOfHash(hash, (part) => {
    isFound ||= hasOriginal(originals, part);
  });
  return isFound;
}
