import { isObject, roleSet } from '../../parse/canonical.ts';

/** Whether details are equal as JSON: in whatever order their keys stand, and -0 being 0, as the database has it. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, i) => isSameJson(each, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  );
}

/** Roles are a set, and so are the tenants of one. */
export function isSameRoles(a: unknown, b: unknown): boolean {
  const [one, other] = [roleSet(a), roleSet(b)];
  return one !== undefined && other !== undefined && one.symmetricDifference(other).size === 0;
}
