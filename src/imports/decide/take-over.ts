/**
 * A record takes over an account that was signed up here with its email, without proof of ownership. Everything that was created
 * here around that email may be another person's: linked login methods are separated, and nothing else remains but restrictions.
 */

import type { HeldMethod } from '../parse/types.ts';
import { hasHash, type Held, type HeldUser } from './holders.ts';
import { marksOf } from './match.ts';
import { takenBy, type Obstacle } from './obstacles.ts';
import { planDifference, type Plan } from './plan/plan.ts';
import { baseOf, isUnproven } from './proof.ts';
import { fieldOf, type SubjectKey, type SubjectMethod, type SubjectUser } from './subject.ts';

/** A user whose login methods that match the record are all unproven. */
interface TakenUser {
  readonly was: HeldUser;
  /** Login methods that become the record's. */
  readonly methods: readonly HeldMethod[];
}

/**
 * Plans to separate what the record takes over from the rest of its user.
 * @param user its keys resolved
 * @returns the record's user as if only the unproven login methods had existed; or why that cannot be
 */
export function takeOver(plan: Plan, user: SubjectUser): SubjectUser | { readonly obstacle: Obstacle } {
  const taken = takenUsers(user);
  const blocked = taken.find((each) => !canLeave(each));
  if (blocked) return { obstacle: obstacleOf(user, blocked) };
  return taken.reduce((sofar, each) => separate(plan, sofar, each), user);
}

function takenUsers(user: SubjectUser): TakenUser[] {
  const byUser = Map.groupBy(leadsOf(user), ({ held }) => held.user);
  return [...byUser].flatMap(([was, leads]) => {
    if (leads.some((lead) => isGoodLead(user, lead))) return [];
    const methods = [...new Set(leads.map(({ held }) => held.method))];
    return [{ was, methods: methods.filter((method) => isUnproven(method, was)) }].filter(
      (each) => each.methods.length > 0,
    );
  });
}

interface Lead {
  readonly held: Held;
  /** undefined: the external id led there. */
  readonly key: SubjectKey | undefined;
}

function leadsOf({ external, methods }: SubjectUser): Lead[] {
  const byId = external?.held ? [{ held: external.held, key: undefined }] : [];
  const byKey = methods.flatMap(({ keys }) =>
    keys.flatMap((key) => (key.held ? [{ held: key.held, key }] : [])),
  );
  return [...byId, ...byKey];
}

/**
 * A login method stated by an import, a proven identity, or the same password. An external id that was given to a user who signed
 * up here is weaker evidence than the record's own email.
 */
function isGoodLead(user: SubjectUser, { held: { method, user: target }, key }: Lead): boolean {
  if (baseOf(method) !== undefined) return true;
  if (key === undefined ? sharesMark(user, target) : !isUnproven(method, target)) return true;
  return user.methods.some(({ passwordHash }) => passwordHash !== undefined && hasHash(method, passwordHash));
}

/** Shares an identity or hash with a login method whose owner is proven. */
function sharesMark({ methods }: SubjectUser, target: HeldUser): boolean {
  const proven = target.methods.filter((each) => !isUnproven(each, target));
  const known = new Set(proven.flatMap(marksOf));
  return methods.some((method) => marksOf(method).some((mark) => known.has(mark)));
}

/** A head cannot be separated from login methods that an import stated, and several that are not heads cannot stay together. */
function canLeave({ was, methods }: TakenUser): boolean {
  const isHead = methods.some(({ userId }) => userId === was.id);
  const others = was.methods.filter((each) => !methods.includes(each));
  if (isHead) return others.every((each) => baseOf(each) === undefined);
  return methods.length === 1;
}

function obstacleOf({ methods }: SubjectUser, { was }: TakenUser): Obstacle {
  const keys = methods.flatMap((method) => method.keys);
  const key = keys.find(({ held }) => held?.user === was);
  const [first] = keys;
  if (!first) throw new Error('a login method has at least one key');
  return takenBy('user', key ?? first);
}

function separate(plan: Plan, user: SubjectUser, { was, methods }: TakenUser): SubjectUser {
  const isHead = methods.some(({ userId }) => userId === was.id);
  const [first] = methods;
  if (!first) return user;
  const others = was.methods.filter((each) => !methods.includes(each)).map(({ userId }) => userId);
  const parted = isHead ? others : [first.userId];
  plan.takenOver.push({
    head: was.id,
    parted,
    methods: methods.map(({ userId }) => userId),
    // Their links were made under its id.
    isLast: !isHead && others.length === 0,
    ended: [...methods.map(({ userId }) => userId), ...(isHead ? others : [])],
  });
  plan.changed.add(was);
  const target = bareUser(was, methods, user.external?.id);
  const field = fieldOf(user.methods.find((each) => holds(each, was))?.place ?? 0, 'email');
  planDifference(plan, target, field);
  return withHolder(user, was, target);
}

function holds({ keys }: SubjectMethod, user: HeldUser): boolean {
  return keys.some(({ held }) => held?.user === user);
}

/** @param externalId the record's: one that was given here is removed, unless it is the same */
function bareUser(was: HeldUser, methods: readonly HeldMethod[], externalId: string | undefined): HeldUser {
  const isLinked = methods.length > 1;
  const bare = methods.map((method) => ({
    ...method,
    metadata: null,
    roles: null,
    totpDevices: null,
    base: null,
    externalId: method.externalId === externalId ? method.externalId : null,
    primaryUserId: isLinked ? was.id : null,
  }));
  const id = isLinked ? was.id : (bare[0]?.userId ?? was.id);
  return { id, head: bare.find(({ userId }) => userId === id), methods: bare, isPrimary: isLinked };
}

function withHolder(user: SubjectUser, was: HeldUser, target: HeldUser): SubjectUser {
  const instead = <Found extends { readonly held: Held | undefined }>(found: Found): Found => {
    const { held } = found;
    if (held?.user !== was) return found;
    const method = target.methods.find(({ userId }) => userId === held.method.userId);
    return { ...found, held: method && { method, user: target } };
  };
  const byMethod = new Map(
    user.methods.map((method) => [method, { ...method, keys: method.keys.map(instead) }]),
  );
  return {
    ...user,
    external: user.external && instead(user.external),
    methods: [...byMethod.values()],
    head: byMethod.get(user.head) ?? user.head,
  };
}
