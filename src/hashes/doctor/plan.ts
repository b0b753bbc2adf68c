/** Plans the computations of an examination: the unchanged hash, then one repair at a time, within the budget. */

import { secretProblem } from '../accept.ts';
import { costOf, workOf } from '../assess.ts';
import type { HashSecrets } from '../kind.ts';
import { boundedPbkdf2 } from '../kinds/pbkdf2.ts';
import { hashCharactersLimit } from '../limits.ts';
import { parseHash, type HashProblem } from '../recognise.ts';
import { hashKindNamed, type HashKindName, type ParsedHash } from '../registry.ts';
import type { ExamineInput } from './examination.ts';
import { asTyped, parseForms, statedIn, type PasswordForms } from '../transforms/transforms.ts';
import type { Repair, Subject, Variant } from './repair.ts';
import { repairs } from './repairs.ts';

/** One verification. */
export interface Attempt {
  /** undefined: unchanged. */
  readonly repair: Repair | undefined;
  readonly parsed: ParsedHash;
  readonly password: Buffer;
  /** The forms to state at the import for it. */
  readonly passwordAs?: string | undefined;
  readonly secrets: HashSecrets;
}

export interface Plan {
  readonly subject: Subject;
  /** Why an import would refuse the hash. */
  readonly problem: HashProblem | undefined;
  /** The named algorithm is not known. */
  readonly isUnknownAlgorithm: boolean;
  /** Empty without a password. */
  readonly attempts: readonly Attempt[];
  /** Repairs of the string alone that make an unreadable hash readable. */
  readonly readable: readonly Repair[];
  /** Attempts that do not fit in the budget. */
  readonly skipped: number;
  /** The most that one attempt allocates, bytes. */
  readonly memoryBytes: number;
}

/**
 * Plans an examination without computing anything. The unchanged hash is always tried, whatever its cost below the ceilings;
 * repairs until their estimated times reach `budgetMs`, and cheaper ones after that as long as they fit.
 */
export function planOf(input: ExamineInput): Plan {
  const given = input.hashingAlgorithm === undefined ? undefined : hashKindNamed(input.hashingAlgorithm);
  const result = parseHash(input.hash, given, input.limits);
  const passwordAs = formsOf(input.hash);
  const subject = subjectOf(input, given);
  const problem = result.ok ? secretProblem(result.parsed, subject.secrets) : result;
  const isUnknownAlgorithm = input.hashingAlgorithm !== undefined && given === undefined;
  const isUsable = problem === undefined && !isUnknownAlgorithm;
  const found = attemptsOf({ subject, passwordAs }, isUsable, input.budgetMs > 0);
  const readable = result.ok ? [] : readableBy(found);
  const chosen = input.password === undefined ? { attempts: [], skipped: 0 } : within(found, input.budgetMs);
  const memoryBytes = Math.max(0, ...chosen.attempts.map(({ parsed }) => costOf(parsed).memoryBytes));
  return { subject, problem, isUnknownAlgorithm, readable, memoryBytes, ...chosen };
}

/** The forms stated before the hash, whatever is wrong with the hash itself. */
function formsOf(hash: string): PasswordForms | undefined {
  const forms = parseForms(statedIn(hash).forms ?? asTyped);
  return forms === undefined || 'message' in forms ? undefined : forms;
}

function subjectOf(
  { hash: given, password, limits, signerKey, pepper }: ExamineInput,
  kind: HashKindName | undefined,
): Subject {
  const secrets = { signerKey, pepper };
  const { hash } = statedIn(given);
  const result = parseHash(hash, kind, limits);
  return {
    hash,
    given: kind,
    password: Buffer.from(password ?? '', 'utf8'),
    limits,
    secrets,
    parsed: result.ok ? result.parsed : undefined,
  };
}

interface Planned {
  readonly subject: Subject;
  /** The stated password forms: every repair of anything else retains them. */
  readonly passwordAs: PasswordForms | undefined;
}

/** Each computation once, under the first repair that leads to it. */
function attemptsOf(planned: Planned, isUsable: boolean, hasBudget: boolean): Attempt[] {
  const { subject, passwordAs } = planned;
  const { parsed, password, secrets } = subject;
  const asItStands = parsed && {
    repair: undefined,
    parsed: stating(parsed, passwordAs),
    password,
    secrets,
  };
  const seen = new Set<string>();
  // The scrypt variant is computed all the same: the decrypted value shows which side's key is wrong.
  const isTried = isUsable || parsed?.kind === 'provider_scrypt';
  const found = isTried && asItStands !== undefined ? [asItStands] : [];
  // No repair makes a hash of such a long string, and patterns would take long on it.
  if (!hasBudget || subject.hash.length > hashCharactersLimit) return found;
  for (const attempt of found) seen.add(keyOf(attempt));
  return [
    ...found,
    ...repairs.flatMap((repair) =>
      repair.variants(subject).flatMap((variant) => attemptOf(planned, repair, variant, seen) ?? []),
    ),
  ];
}

function attemptOf(
  { subject, passwordAs: stated }: Planned,
  repair: Repair,
  variant: Variant,
  seen: Set<string>,
): Attempt | undefined {
  const parsed = parsedOf(subject, variant);
  if (parsed === undefined || !isWithin(parsed, subject)) return undefined;
  const { password = subject.password, passwordAs, secrets = subject.secrets } = variant;
  const kept = passwordAs === undefined ? stating(parsed, stated) : parsed;
  const attempt = { repair, parsed: kept, password, passwordAs, secrets };
  const key = keyOf(attempt);
  if (seen.has(key)) return undefined;
  seen.add(key);
  return attempt;
}

function parsedOf({ hash, given, limits, parsed }: Subject, variant: Variant): ParsedHash | undefined {
  if (variant.parsed !== undefined) return variant.parsed;
  if (variant.hash === undefined && !('given' in variant)) return parsed;
  const result = parseHash(variant.hash ?? hash, 'given' in variant ? variant.given : given, limits);
  return result.ok ? result.parsed : undefined;
}

function stating(parsed: ParsedHash, passwordAs: PasswordForms | undefined): ParsedHash {
  return passwordAs === undefined ? parsed : { ...parsed, passwordAs };
}

/** Changed digests and iterations may cost more than the parsed ones. */
function isWithin(parsed: ParsedHash, { limits }: Subject): boolean {
  if (parsed.kind !== 'pbkdf2' && parsed.kind !== 'pbkdf2_kratos' && parsed.kind !== 'aspnet') return true;
  return boundedPbkdf2(parsed.kind, parsed, limits).ok;
}

function keyOf({ parsed, password, secrets }: Omit<Attempt, 'repair' | 'passwordAs'>): string {
  const texts = [password, secrets.signerKey, secrets.pepper].map((each) =>
    each === undefined ? '' : Buffer.from(each).toString('base64'),
  );
  return JSON.stringify([parsed, ...texts]);
}

/** Repairs of the string alone: they do not change the password. */
function readableBy(attempts: readonly Attempt[]): Repair[] {
  return [...new Set(attempts.flatMap(({ repair }) => repair ?? []))];
}

function within(
  attempts: readonly Attempt[],
  budgetMs: number,
): { readonly attempts: readonly Attempt[]; readonly skipped: number } {
  let spentMs = 0;
  const chosen = attempts.filter(({ repair, parsed }) => {
    if (repair === undefined) return true;
    const ms = workOf(parsed);
    if (spentMs + ms > budgetMs) return false;
    spentMs += ms;
    return true;
  });
  return { attempts: chosen, skipped: attempts.length - chosen.length };
}
