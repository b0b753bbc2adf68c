import type { RecordRules } from '../tasks.ts';
import { identityKind } from '../../domain/identity.ts';
import { methodOf } from './method.ts';
import type { BulkIdentity, BulkMethod } from './model.ts';
import { invalid, type Problem } from './problem.ts';

/** Checks each login method, and that they go together: at most one primary, no identity twice. */
export function methodsOf(
  list: readonly Readonly<Record<string, unknown>>[],
  rules: RecordRules,
): readonly BulkMethod[] | Problem {
  const methods: BulkMethod[] = [];
  for (const [place, own] of list.entries()) {
    const method = methodOf(own, rules, `loginMethods.${place}.`);
    if ('code' in method) return method;
    methods.push(method);
  }
  return methods.length === 1 ? methods : (clashOf(methods) ?? methods);
}

function clashOf(methods: readonly BulkMethod[]): Problem | undefined {
  const second = methods.findLastIndex((method) => method.isPrimary);
  if (second !== methods.findIndex((method) => method.isPrimary)) {
    return invalid(`loginMethods.${second}.isPrimary`, 'must be true for one login method at most');
  }
  const seen = new Set<string>();
  for (const [place, method] of methods.entries()) {
    for (const identity of method.identities) {
      if (!method.tenantNos.every((tenantNo) => isNew(seen, identity, tenantNo))) {
        return invalid(
          identityField(place, identity),
          'must not be that of an earlier login method of this record in the same tenant: leave one out',
        );
      }
    }
  }
  return undefined;
}

function isNew(seen: Set<string>, { kind, key }: BulkIdentity, tenantNo: number): boolean {
  const before = seen.size;
  return seen.add(`${kind}:${tenantNo}:${key}`).size > before;
}

/** The path of the field that an identity is made of. */
export function identityField(place: number, { kind }: Pick<BulkIdentity, 'kind'>): string {
  return `loginMethods.${place}.${identityFields[kind]}`;
}

const identityFields: Readonly<Record<BulkIdentity['kind'], string>> = {
  [identityKind.email]: 'email',
  [identityKind.thirdParty]: 'thirdPartyUserId',
  [identityKind.passwordlessEmail]: 'email',
  [identityKind.passwordlessPhone]: 'phoneNumber',
};
