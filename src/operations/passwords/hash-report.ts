import { Refusal } from '../../domain/errors.ts';
import type { HashLimits, HashPolicy, Tenant } from '../../domain/model.ts';
import { hashClass, policyClass } from '../../hashes/assess.ts';
import type { ClassCost } from '../../hashes/kind.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import { type ClassCount, type HashTally, TallySum } from '../../hashes/tally.ts';
import type { HashReportInput } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { PasswordMismatch } from '../ports/ports.ts';

export interface HashReportOperations {
  /**
   * Counts the app's stored hashes by kind and cost, and users whose password was verified. Contains no hash.
   * @throws Refusal SHUTTING_DOWN if the core closes meanwhile
   */
  report(tenant: Tenant, input: HashReportInput): Promise<HashReport>;
}

export interface HashReport {
  readonly status: 'OK';
  /** Login methods with a password; all numbers of users here count login methods. */
  readonly users: number;
  /** Most users first. `share`: of all users, 0 to 1. */
  readonly kinds: readonly (ClassCount & { readonly share: number })[];
  readonly policy: { readonly kind: string; readonly cost: ClassCost };
  /** Users whose hash was upgraded at a sign-in. */
  readonly upgraded: number;
  readonly belowPolicy: number;
  readonly weak: number;
  readonly unreadable: number;
  readonly activity: ActivityReport;
}

interface ActivityReport {
  readonly days: number;
  /** Users with a password attempt, right or wrong, within these days. */
  readonly active: number;
  /** Of these, users with a right password. */
  readonly proven: number;
  /** 0 to 1 */
  readonly share: number;
  readonly mismatches: readonly Mismatch[];
  /** True if there are more. */
  readonly more?: true;
}

interface Mismatch extends Omit<PasswordMismatch, 'passwordHash'> {
  /** `unreadable` if the hash cannot be parsed. */
  readonly kind: string;
  readonly cost: ClassCost;
}

/** Users in one read: about 2 MB of text, and 80 ms of a thread. */
const pageSize = 20_000;
const dayMs = 86_400_000;
const defaultDays = 30;
const defaultLimit = 100;

type Context = Pick<OperationsContext, 'stores' | 'now' | 'hashReports'>;

export function hashReportOperations(context: Context, usersAtOnce = pageSize): HashReportOperations {
  const { stores, now, hashReports } = context;
  const counting = new Counting(context, usersAtOnce);
  return {
    async report({ appNo, settings }, { days = defaultDays, limit = defaultLimit }) {
      const since = now() - days * dayMs;
      const [tally, upgraded, activity, mismatches] = await Promise.all([
        counting.tally(appNo, settings.hashLimits),
        stores.hashReports.countUpgraded(appNo),
        stores.hashReports.activity(appNo, since),
        stores.hashReports.mismatches(appNo, since, limit + 1),
      ]);
      return {
        status: 'OK',
        ...countsOf(tally, upgraded, hashReports.policy),
        activity: {
          days,
          ...activity,
          share: shareOf(activity.proven, activity.active),
          mismatches: mismatches.slice(0, limit).map((each) => listed(each, settings.hashLimits)),
          ...(mismatches.length > limit && { more: true }),
        },
      };
    },
  };
}

/** Runs one count of an app at a time; requests meanwhile get its result. */
class Counting {
  readonly #context: Omit<Context, 'now'>;
  readonly #usersAtOnce: number;
  readonly #underWay = new Map<number, Promise<HashTally>>();

  constructor(context: Omit<Context, 'now'>, usersAtOnce: number) {
    this.#context = context;
    this.#usersAtOnce = usersAtOnce;
  }

  tally(appNo: number, limits: HashLimits): Promise<HashTally> {
    const current = this.#underWay.get(appNo);
    if (current) return current;
    const counted = this.#count(appNo, limits).finally(() => this.#underWay.delete(appNo));
    this.#underWay.set(appNo, counted);
    return counted;
  }

  async #count(appNo: number, limits: HashLimits): Promise<HashTally> {
    const { stores, hashReports } = this.#context;
    const sum = new TallySum();
    let after: string | undefined;
    do {
      if (hashReports.closing.aborted) throw new Refusal('SHUTTING_DOWN');
      const { lines, next } = await stores.hashReports.hashes(appNo, after, this.#usersAtOnce);
      if (lines !== '') sum.add(await hashReports.tally(lines, limits));
      after = next;
    } while (after !== undefined);
    return sum.total;
  }
}

function countsOf(
  { users, unreadable, classes }: HashTally,
  upgraded: number,
  policy: HashPolicy,
): Omit<HashReport, 'status' | 'activity'> {
  const usersOf = (isMeant: (each: ClassCount) => boolean): number =>
    classes.filter(isMeant).reduce((sum, each) => sum + each.users, 0);
  return {
    users,
    kinds: classes
      .toSorted((a, b) => b.users - a.users)
      .map((each) => ({ ...each, share: shareOf(each.users, users) })),
    policy: policyClass(policy),
    upgraded,
    belowPolicy: usersOf((each) => each.isBelowPolicy),
    weak: usersOf((each) => each.isWeak),
    unreadable,
  };
}

function listed({ passwordHash, ...rest }: PasswordMismatch, limits: HashLimits): Mismatch {
  const result = parseStoredHash(passwordHash, limits);
  return { ...rest, ...(result.ok ? hashClass(result.parsed) : { kind: 'unreadable', cost: {} }) };
}

/** To four decimals; 0 without users. */
function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
