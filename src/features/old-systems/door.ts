/** The door to old systems: users whose password one of them knows are verified there, once, and moved. */
import { setTimeout as delay } from 'node:timers/promises';
import { markedSource } from '../../domain/legacy-mark.ts';
import type { LegacySource, Tenant } from '../../domain/model.ts';
import type { OperationsContext } from '../../operations/context.ts';
import type { LegacyAccess } from './model.ts';
import type { FoundCredential } from '../../operations/ports/ports.ts';
import { ask, SourceStates, turnOf, unavailable } from './asking.ts';
import type { Guess, OldSystems, Way } from '../../operations/ports/old-systems.ts';
import type { Dialect, LegacyVerdict } from './dialect.ts';
import { mismatchOf } from './identity.ts';
import { move } from './move.ts';
import { SharedQuestion } from './shared-question.ts';
import { Strangers } from './strangers.ts';
import { WrongPairs } from './wrong-pairs.ts';

export interface DoorOptions {
  readonly context: Pick<OperationsContext, 'stores' | 'hasher' | 'now'>;
  readonly access: LegacyAccess;
  readonly dialects: (source: LegacySource) => Dialect;
  /** 0 to 1 */
  readonly random?: () => number;
}

/**
 * Questions about one pair of email and password share one answer while it is under way, so a user who signs in a hundred times
 * at once is verified and moved once.
 */
export class LegacyDoor implements OldSystems {
  readonly #options: DoorOptions;
  readonly #states: SourceStates;
  readonly #wrong = new WrongPairs();
  readonly #strangers = new Strangers();
  /** Bounded by the questions that sources accept at once, and that may wait for them. */
  readonly #underWay = new Map<string, SharedQuestion>();

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#states = new SourceStates(options.access);
  }

  wayFor(tenant: Tenant, { credential, neighbour }: FoundCredential): Way | undefined {
    const { legacySources = [] } = tenant.settings;
    const open = legacySources.filter(({ until }) => until > this.#options.context.now());
    if (open.length === 0) return undefined;
    const named = (mark: string | undefined) => open.find(({ name }) => name === markedSource(mark));
    if (credential !== undefined) return wayTo(named(credential.passwordHash), 'asked');
    return (
      wayTo(
        open.find(({ asksUnknown }) => asksUnknown),
        'asked',
      ) ?? wayTo(named(neighbour), 'decoy')
    );
  }

  async isRight(source: LegacySource, guess: Guess, userId: string | undefined): Promise<boolean> {
    const { tenant, email, password, moves } = guess;
    const pair = this.#wrong.digest(source.name, `${tenant.appNo} ${tenant.tenantNo}`, email, password);
    if (this.#wrong.has(pair, this.#options.context.now())) return this.#remembered(source, guess);
    const key = `${pair} ${moves}`;
    const current = this.#underWay.get(key);
    const shared = current?.isGivenUp === false ? current : this.#share(key, { source, guess, userId, pair });
    return shared.join(guess.signal);
  }

  #share(key: string, sharing: Sharing): SharedQuestion {
    const shared = new SharedQuestion((signal) => this.#ask(sharing, signal));
    const forget = (): void => {
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
    };
    this.#underWay.set(key, shared);
    shared.answer.then(forget, forget);
    return shared;
  }

  async pretend(tenant: Tenant, source: LegacySource, signal: AbortSignal | undefined): Promise<boolean> {
    const state = this.#states.of(source, tenant);
    const { now } = this.#options.context;
    const turn = await turnOf(source, state, { now, onRefused: () => undefined, signal });
    try {
      const { ms, hasFailed } = state.recent.draw(() => this.#random(), now());
      await delay(ms, undefined, { signal });
      if (hasFailed) throw unavailable(state.breaker.waitMs(now()));
      return false;
    } finally {
      turn.left();
    }
  }

  async #remembered(source: LegacySource, { tenant, signal }: Guess): Promise<false> {
    const state = this.#states.of(source, tenant);
    this.#options.access.onAsked?.(source.name, 'remembered', 0);
    await delay(state.recent.drawMs(this.#random()), undefined, { signal });
    return false;
  }

  async #ask({ source, guess, userId, pair }: Sharing, signal: AbortSignal): Promise<boolean> {
    const { context, access, dialects } = this.#options;
    const { tenant, email, password, address } = guess;
    const asking = {
      access,
      dialect: dialects(source),
      source,
      state: this.#states.of(source, tenant),
      now: context.now,
    };
    const now = context.now();
    const question = { email, password, tenantId: tenant.tenantId, now, address };
    const { verdict, ms } = await ask(asking, question, signal);
    const outcome = await this.#settle({ source, guess, userId }, verdict);
    access.onAsked?.(source.name, outcome, ms / 1000);
    if (outcome === 'right') return true;
    asking.state.recent.add({ at: context.now(), ms, hasFailed: false });
    this.#wrong.add(pair, context.now());
    return false;
  }

  /** Moves the user, if the answer is about them. For the caller another person's password is wrong. */
  async #settle(
    { source, guess, userId }: Omit<Sharing, 'pair'>,
    verdict: LegacyVerdict,
  ): Promise<'right' | 'wrong' | 'other-user'> {
    if (!verdict.isRight) return 'wrong';
    const { context, access } = this.#options;
    const { tenant, email, password, moves } = guess;
    const { person } = verdict;
    const moving = { context, access, tenant, source, email, password, person, userId };
    const mismatch = (await mismatchOf(context.stores, moving)) ?? (moves ? await move(moving) : undefined);
    if (mismatch === undefined) return 'right';
    this.#strangers.note(source, userId ?? email, () => {
      access.onTrouble?.(
        source.name,
        'an old system knows another user by this login',
        `another ${mismatch}`,
      );
    });
    return 'other-user';
  }

  #random(): number {
    return (this.#options.random ?? Math.random)();
  }
}

interface Sharing {
  readonly source: LegacySource;
  readonly guess: Guess;
  readonly userId: string | undefined;
  /** A digest of the question. */
  readonly pair: string;
}

function wayTo(source: LegacySource | undefined, is: Way['is']): Way | undefined {
  return source && { source, is };
}
