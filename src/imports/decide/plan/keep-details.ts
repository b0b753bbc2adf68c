/** Metadata, roles and TOTP devices, each compared as a whole. */

import { devicesDigest, metadataDigest, readBase, rolesDigest, type DetailsBase } from '../../parse/base.ts';
import { canonicalJson } from '../../parse/canonical.ts';
import type { ConflictGroup } from '../../model.ts';
import type { HeldMethod } from '../../parse/types.ts';
import type { HeldUser } from '../holders.ts';
import { noteRestrictions } from './differences.ts';
import { planDifference } from './plan.ts';
import { restate } from './restrictions.ts';
import type { SubjectUser } from '../subject.ts';
import { note, rulingOf, settle, type Meeting } from './three-way.ts';

interface Detail {
  readonly name: keyof DetailsBase;
  readonly field: string;
  readonly group: ConflictGroup;
  readonly digest: (value: unknown) => string;
  /** The displayed form. */
  readonly show: (value: unknown) => string;
}

const show = (value: unknown): string =>
  value === undefined || value === null ? 'none' : canonicalJson(value);
const secret = 'changed';

const kinds: readonly Detail[] = [
  { name: 'metadata', field: 'userMetadata', group: 'metadata', digest: metadataDigest, show },
  { name: 'roles', field: 'userRoles', group: 'roles', digest: rolesDigest, show },
  { name: 'totpDevices', field: 'totpDevices', group: 'totp', digest: devicesDigest, show: () => secret },
];

/** The whole row is written, so what the record does not state is written unchanged. */
export function keepDetails(meeting: Meeting, user: SubjectUser): void {
  const { plan, target } = meeting;
  const present = target.head ?? noDetails;
  const taken = kinds.filter((kind) => isTaken(meeting, kind, user, present));
  const stated = restrictionsOf(user, target);
  noteRestrictions(meeting, stated);
  const restated = restate(target.methods[0]?.restrictions, stated);
  const fields = [...taken.map(({ field }) => field), ...restated.fields];
  if (fields.length === 0) return;
  for (const field of fields) planDifference(plan, target, field);
  const valueOf = (name: keyof DetailsBase): unknown =>
    (taken.some((kind) => kind.name === name) ? user[name] : present[name]) ?? undefined;
  const [metadata, roles, totpDevices] = [valueOf('metadata'), valueOf('roles'), valueOf('totpDevices')];
  plan.details.push({ userId: target.id, metadata, roles, totpDevices, restrictions: restated.kept });
}

/** A user disabled because the source no longer had them is enabled by a later record without restrictions. */
function restrictionsOf({ restrictions }: SubjectUser, { methods }: HeldUser): SubjectUser['restrictions'] {
  const wasAbsent = methods.some(({ base }) => readBase(base)?.isAbsent === true);
  return wasAbsent ? { isDisabled: false, ...restrictions } : restrictions;
}

type Details = Pick<HeldMethod, 'metadata' | 'roles' | 'totpDevices'> & { readonly base: string | null };

const noDetails: Details = { metadata: null, roles: null, totpDevices: null, base: null };

function isTaken(
  meeting: Meeting,
  { name, field, group, digest, ...kind }: Detail,
  user: SubjectUser,
  present: Details,
): boolean {
  const [theirs, ours] = [digest(user[name]), digest(present[name])];
  const base = readBase(present.base)?.details[name];
  const [here, source] = [kind.show(present[name]), kind.show(user[name])];
  const clash = { group, field, here, source, method: { userId: meeting.target.id } };
  note(meeting, clash, { theirs, base, ours });
  const ruling = rulingOf({ theirs, base, ours });
  return ruling === 'conflict' ? settle(meeting, clash) : ruling === 'take';
}
