/** Keys that a record takes from other users: by another line of the file these may give them up. */

import type { Held, HeldUser } from './holders.ts';
import type { IdentityRow } from './plan/plan.ts';
import { resolveKeys } from './plan/resolve.ts';
import type { Subject, SubjectKey, SubjectMethod, SubjectUser } from './subject.ts';

export interface Freed {
  /** The record, as if nobody else had its keys. */
  readonly subject: Subject;
  /** Keys that others have. */
  readonly wanted: readonly SubjectKey[];
}

export function withoutForeign(subject: Subject): Freed {
  const wanted = subject.users.flatMap((user) => foreignKeys(resolveKeys(user)));
  if (wanted.length === 0) return { subject, wanted };
  const ids = new Set(wanted.map(keyId));
  const byMethod = new Map(subject.methods.map((method) => [method, freed(method, ids)]));
  const freedOf = (method: SubjectMethod): SubjectMethod => byMethod.get(method) ?? method;
  const users = subject.users.map((user) => ({
    ...user,
    methods: user.methods.map(freedOf),
    head: freedOf(user.head),
  }));
  return { subject: { ...subject, methods: subject.methods.map(freedOf), users }, wanted };
}

/** One text for one key of the app. */
export function keyId({ kind, key, tenantNo }: Omit<IdentityRow, 'userId'>): string {
  return `${kind} ${key} ${tenantNo}`;
}

function freed(method: SubjectMethod, wanted: ReadonlySet<string>): SubjectMethod {
  return {
    ...method,
    keys: method.keys.map((key) => (wanted.has(keyId(key)) ? { ...key, held: undefined } : key)),
  };
}

/** Those that match.ts refuses: of another user than the rest, or of one who is known by another external id. */
function foreignKeys({ external, methods }: SubjectUser): SubjectKey[] {
  const held = methods.flatMap(({ keys }) => keys.filter((key) => key.held !== undefined));
  const isNew = external !== undefined && external.held === undefined;
  const isKnown = ({ held: holder }: SubjectKey): boolean => isNew && hasExternalId(holder);
  const target: HeldUser | undefined = external?.held?.user ?? held.find((key) => !isKnown(key))?.held?.user;
  return held.filter((key) => isKnown(key) || key.held?.user !== target);
}

function hasExternalId(held: Held | undefined): boolean {
  return [held?.method.externalId, held?.user.head?.externalId].some((id) => typeof id === 'string');
}
