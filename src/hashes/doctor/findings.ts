/** From computations to messages. */

import { costOf, hashClass, workOf } from '../assess.ts';
import { costText } from '../kind.ts';
import type { HashProblem } from '../recognise.ts';
import { rowOf, type ParsedHash } from '../registry.ts';
import { spellingOf } from '../spellings.ts';
import { causesOf, truncation } from './causes.ts';
import { parameters, type Examination, type ExaminationCode } from './examination.ts';
import type { Attempt, Plan } from './plan.ts';
import type { Repair } from './repair.ts';

/** The results of a plan's attempts. */
export interface Tried {
  /** The first that matched. */
  readonly match: Attempt | undefined;
  readonly tried: number;
  readonly keys: NonNullable<Examination['keys']>;
}

/** The finding of an examination after its attempts; `hasPassword`: whether there was one to try. */
export function findingOf(plan: Plan, { match, tried, keys }: Tried, hasPassword: boolean): Examination {
  const counts = { tried, skipped: match === undefined ? plan.skipped : 0 };
  const evidence = keys.length > 0 ? { keys } : {};
  return { ...sayingOf(plan, match, hasPassword), ...counts, ...evidence };
}

type Saying = Omit<Examination, 'tried' | 'skipped' | 'keys'>;

function sayingOf(plan: Plan, match: Attempt | undefined, hasPassword: boolean): Saying {
  if (match?.repair !== undefined) return repaired(match, match.repair);
  const kind = kindOf(plan);
  const isTaken = plan.problem === undefined && !plan.isUnknownAlgorithm;
  if (match !== undefined && isTaken)
    return { code: 'RIGHT', ...kind, message: 'The password has this hash.', advice: [] };
  if (plan.isUnknownAlgorithm) return unknownAlgorithm;
  if (plan.problem !== undefined) return { ...kind, ...refused(plan, plan.problem) };
  if (!hasPassword)
    return {
      code: 'RECOGNISED',
      ...kind,
      message: 'Nothing is wrong with this hash.',
      advice: [withPassword],
    };
  return { ...kind, ...wrong(plan) };
}

const withPassword = 'Give a known password, and the doctor checks whether it has this hash.';

function kindOf({ subject: { parsed, hash } }: Plan): Pick<Saying, 'kind' | 'description'> {
  if (parsed !== undefined) return { kind: parsed.kind, description: describe(parsed) };
  const kind = spellingOf(hash)?.kind;
  return kind === undefined ? {} : { kind };
}

function repaired({ parsed, passwordAs }: Attempt, { name, parameter, advice }: Repair): Saying {
  const cure = name === 'hashing-algorithm' ? `Set hashingAlgorithm to ${parsed.kind}.` : advice;
  const stated =
    passwordAs === undefined
      ? {}
      : { passwordAs, advice: [stateIt(passwordAs)], parameter: parameters.transforms };
  return {
    code: 'REPAIRED',
    kind: parsed.kind,
    description: describe(parsed),
    message: `As it stands the password does not have this hash; with one change (${name}) it has.`,
    advice: [cure],
    repair: name,
    parameter,
    ...stated,
  };
}

function stateIt(passwordAs: string): string {
  return `The old system changed the password before it hashed it (${passwordAs}): import with --password-as ${passwordAs}, or passwordTransforms in records.`;
}

const unknownAlgorithm: Saying = {
  code: 'UNSUPPORTED',
  message: 'The hashingAlgorithm is not supported.',
  advice: ['Leave hashingAlgorithm out where the hash shows its kind, or name a documented one.'],
  parameter: parameters.algorithm,
};

const codes: Readonly<Record<HashProblem['code'], ExaminationCode>> = {
  malformed: 'MALFORMED',
  'no-password': 'NO_PASSWORD',
  unsupported: 'UNSUPPORTED',
  'out-of-range': 'OVER_CEILING',
  'signer-key-missing': 'SECRET_MISSING',
  'pepper-missing': 'SECRET_MISSING',
  'unknown-name': 'UNSUPPORTED',
};

function refused(plan: Plan, { code, message }: HashProblem): Omit<Saying, 'kind' | 'description'> {
  const { subject, readable } = plan;
  const isUnknown =
    code === 'malformed' && spellingOf(subject.hash) === undefined && subject.parsed === undefined;
  const cut = subject.parsed === undefined ? truncation(subject.hash) : undefined;
  const advice = [
    ...(cut === undefined ? [] : [`It was cut off: ${cut}.`]),
    ...readable.slice(0, 1).map((repair) => repair.advice),
    ...(isUnknown && readable.length === 0 ? [whatHashesAre] : []),
  ];
  return {
    code: isUnknown && readable.length === 0 ? 'NOT_A_HASH' : codes[code],
    message: `${message}.`,
    advice,
    parameter: parameterOf(code, plan),
  };
}

const whatHashesAre =
  'A hash that comes in several fields (hash, salt, parameters) must be put into one string: give the export itself, with --export, and its conversion does that.';

function parameterOf(code: HashProblem['code'], { subject }: Plan): string {
  if (code === 'pepper-missing') return parameters.pepper;
  // A readable hash that is refused all the same belongs to another than the configured key.
  return code === 'signer-key-missing' || subject.parsed !== undefined
    ? parameters.signerKey
    : parameters.hash;
}

function wrong({ subject, attempts, skipped }: Plan): Omit<Saying, 'kind' | 'description'> {
  const { parsed } = subject;
  if (parsed === undefined) throw new Error('a hash without a problem was not read');
  const { advice, parameter } = causesOf(parsed, subject);
  const repairs = attempts.filter(({ repair }) => repair !== undefined).length;
  const left = skipped > 0 ? `; ${skipped} more were left out, because they would take too long` : '';
  const changes = repairs > 0 || skipped > 0 ? ` Nor with any of ${repairs} changes${left}.` : '';
  return { code: 'WRONG', message: `The password does not have this hash.${changes}`, advice, parameter };
}

const bytesPerMiB = 1024 * 1024;

/** `BCrypt (logRounds 10), about 57 ms and 4 KiB a verification` */
function describe(parsed: ParsedHash): string {
  const parameters = costText(hashClass(parsed).cost);
  const cost = `${timeText(workOf(parsed))} and ${memoryText(costOf(parsed).memoryBytes)} a verification`;
  return `${rowOf(parsed.kind).label}${parameters === '' ? '' : ` (${parameters})`}, ${cost}`;
}

function timeText(ms: number): string {
  if (ms < 1) return 'less than 1 ms';
  return ms < 1000 ? `about ${Math.round(ms)} ms` : `about ${(ms / 1000).toFixed(1)} s`;
}

function memoryText(bytes: number): string {
  const mib = bytes / bytesPerMiB;
  return mib >= 1 ? `${Math.round(mib)} MiB` : `${Math.ceil(bytes / 1024)} KiB`;
}
