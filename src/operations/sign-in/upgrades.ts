import type { HashPolicy } from '../../domain/model.ts';
import { isBelowPolicy, isCertain } from '../../hashes/assess.ts';
import { fitsBcrypt } from '../../hashes/parts/certainty.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import type { UpgradeOffers, VerifiedPassword } from '../context.ts';
import type { PasswordHasher, UserStore } from '../ports/ports.ts';

/**
 * - `upgraded`: the hash was replaced;
 * - `outdated`: it was no longer the one that was verified, and stays;
 * - `dropped`: there was no room or no time; a later sign-in offers it again;
 * - `failed`: the hasher or the store refused.
 */
export type UpgradeOutcome = 'upgraded' | 'outdated' | 'dropped' | 'failed';

export interface UpgradesOptions {
  readonly users: Pick<UserStore, 'upgradeHash'>;
  readonly hasher: Pick<PasswordHasher, 'hash'>;
  readonly policy: HashPolicy;
  /** Whether the hasher has a thread to spare and no request that waits for one. */
  readonly isIdle: () => boolean;
  /** ms since the epoch */
  readonly now: () => number;
  /** Called for each offer that was taken, once. @param error why it failed */
  readonly onEnd?: (outcome: UpgradeOutcome, error?: unknown) => void;
}

/** Offers that may wait: each is a password in memory, so few. */
export const maxWaiting = 256;
/** How long one may wait, for the same reason. On a morning when all users sign in, most are dropped and come again. */
export const maxWaitMs = 10_000;
/** How often it is looked whether the hasher is idle, while something waits; then there is no hurry. */
const lookEveryMs = 50;

interface Offer extends VerifiedPassword {
  readonly offeredAt: number;
}

/**
 * Replaces weak hashes by one of the policy after a right password, when the hasher has nothing better to do.
 *
 * Modes, in this order and never back:
 * - `open`: offers are taken, worked off one at a time, first come, first served.
 * - `closed`: nothing waits, nothing is taken; what was under way ends, and `close()` resolves then.
 *
 * Invariants:
 * - While something waits there is exactly one timer, while nothing waits none. It keeps no process alive.
 * - One offer a user waits, the latest; none waits for longer than `maxWaitMs` and a look.
 * - At most one upgrade is under way. Its hash is computed when `isIdle` says so; the sign-ins behind it wait for one at
 *   the most.
 * - That a hash is replaced once, and only while it is the one that was verified, is the store's word, not the queue's.
 */
export class Upgrades implements UpgradeOffers {
  readonly #options: UpgradesOptions;
  /** By user, in the order of their arrival. */
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

  /** Drops what waits, and waits for the one under way. May be called again. */
  async close(): Promise<void> {
    this.#mode = 'closed';
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drop([...this.#waiting.keys()]);
    await this.#underWay?.ended;
  }

  /** Some microseconds: nothing is digested. A policy of bcrypt must not cut a password that the old hash covered in full. */
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

  async #upgrade({ tenant: { appNo }, userId, passwordHash: from, password }: Offer): Promise<void> {
    const { hasher, users, now } = this.#options;
    try {
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
