import type { HashPolicy } from '../../domain/model.ts';
import { isBelowPolicy, isCertain } from '../../hashes/assess.ts';
import { fitsBcrypt } from '../../hashes/parts/certainty.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import type { UpgradeOffers, VerifiedPassword } from '../context.ts';
import type { PasswordHasher, UserStore } from '../ports/ports.ts';

/**
 * - `upgraded`: the hash was replaced;
 * - `outdated`: another hash is stored by now, and stays;
 * - `dropped`: no room, no time, or the app's hashes stay as they are for now; a later sign-in offers it again;
 * - `failed`: the hasher or the store refused.
 */
export type UpgradeOutcome = 'upgraded' | 'outdated' | 'dropped' | 'failed';

export interface UpgradesOptions {
  readonly users: Pick<UserStore, 'upgradeHash'>;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly policy: HashPolicy;
  /** True if the hasher has a free thread and no request waits. */
  readonly isIdle: () => boolean;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called once for each accepted offer. @param error if it failed */
  readonly onEnd?: (outcome: UpgradeOutcome, error?: unknown) => void;
}

/** Offers that may wait; few, because each is a password in memory. */
export const maxWaiting = 256;
/** Maximum wait, for the same reason. When all users sign in on one morning, most are dropped and offered again later. */
export const maxWaitMs = 10_000;
/** Interval of checks for an idle hasher while an offer waits. */
const lookEveryMs = 50;

interface Offer extends VerifiedPassword {
  readonly offeredAt: number;
}

/**
 * Replaces weak hashes after a right password, while the hasher is idle.
 *
 * Modes, in this order:
 * - `open`: accepts offers and processes them one at a time, in order.
 * - `closed`: accepts nothing; `close()` resolves when the upgrade under way has ended.
 *
 * Invariants:
 * - There is exactly one timer while an offer waits, and none otherwise. It does not keep the process alive.
 * - The latest offer of a user waits, for at most `maxWaitMs` and one interval.
 * - At most one upgrade is under way, begun while `isIdle`, so sign-ins wait for at most one.
 * - The store replaces a hash only if it is still the one that was verified.
 */
export class Upgrades implements UpgradeOffers {
  readonly #options: UpgradesOptions;
  /** By user, in order of arrival. */
  readonly #waiting = new Map<string, Offer>();
  #mode: 'open' | 'closed' = 'open';
  #timer: NodeJS.Timeout | undefined;
  #underWay: { readonly offer: Offer; readonly ended: Promise<void> } | undefined;

  constructor(options: UpgradesOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  offer(verified: VerifiedPassword): void {
    if (this.#mode === 'closed' || !this.#isWorthwhile(verified)) return;
    const key = keyOf(verified);
    if (this.#isKnown(key, verified)) return;
    if (this.#waiting.size >= maxWaiting && !this.#waiting.has(key)) {
      this.#end('dropped');
      return;
    }
    this.#waiting.set(key, { ...verified, offeredAt: this.#options.now() });
    this.#lookLater();
  }

  /** Drops waiting offers and waits for the upgrade under way. Idempotent. */
  async close(): Promise<void> {
    this.#mode = 'closed';
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drop([...this.#waiting.keys()]);
    await this.#underWay?.ended;
  }

  /** Takes microseconds: no digest is computed. bcrypt must not truncate a password that the old hash covered in full. */
  #isWorthwhile({ tenant: { settings }, passwordHash, password }: VerifiedPassword): boolean {
    const { policy } = this.#options;
    const result = parseStoredHash(passwordHash, settings.hashLimits);
    if (!result.ok || !isBelowPolicy(result.parsed, policy)) return false;
    const bytes = Buffer.from(password, 'utf8');
    if (policy.algorithm === 'BCRYPT' && !fitsBcrypt(bytes)) return false;
    return isCertain(result.parsed, bytes, settings.pepper);
  }

  #isKnown(key: string, { passwordHash }: VerifiedPassword): boolean {
    const current = this.#underWay?.offer;
    if (current !== undefined && keyOf(current) === key && current.passwordHash === passwordHash) return true;
    return this.#waiting.get(key)?.passwordHash === passwordHash;
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, lookEveryMs).unref();
  }

  #look(): void {
    this.#dropStale();
    const [next] = this.#waiting;
    if (next === undefined) return;
    if (this.#underWay === undefined && this.#options.isIdle()) this.#start(...next);
    if (this.#waiting.size > 0) this.#lookLater();
  }

  #dropStale(): void {
    const oldest = this.#options.now() - maxWaitMs;
    this.#drop([...this.#waiting].filter(([, { offeredAt }]) => offeredAt < oldest).map(([key]) => key));
  }

  #drop(keys: readonly string[]): void {
    for (const key of keys) {
      this.#waiting.delete(key);
      this.#end('dropped');
    }
  }

  #start(key: string, offer: Offer): void {
    this.#waiting.delete(key);
    const ended = this.#upgrade(offer).then(() => {
      this.#underWay = undefined;
      this.#look();
    });
    this.#underWay = { offer, ended };
  }

  async #upgrade({
    tenant: { appNo },
    userId,
    passwordHash: from,
    password,
    mayUpgrade,
  }: Offer): Promise<void> {
    const { hasher, users, now } = this.#options;
    try {
      if (mayUpgrade !== undefined && !(await mayUpgrade())) {
        this.#end('dropped');
        return;
      }
      const to = await hasher.hash(password, { isBackground: true });
      const isReplaced = await users.upgradeHash({ appNo, userId, from, to, at: now() });
      this.#end(isReplaced ? 'upgraded' : 'outdated');
    } catch (error) {
      this.#end('failed', error);
    }
  }

  #end(outcome: UpgradeOutcome, error?: unknown): void {
    this.#options.onEnd?.(outcome, error);
  }
}

function keyOf({ tenant, userId }: VerifiedPassword): string {
  return `${tenant.appNo} ${userId}`;
}
