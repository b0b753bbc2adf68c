/** Details as one text for all spellings with the same meaning: for comparisons and digests. */

/** Keys in one order, at every depth; -0 is 0, as the database has it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${entries.join(',')}}`;
}

/**
 * Roles are a set, and so are the tenants of a role: repetitions do not count, and null is the public tenant alone. Anything but
 * a list of roles is an empty one.
 */
export function canonicalRoles(roles: unknown): string {
  const tenants = new Map<unknown, Set<unknown>>();
  for (const each of Array.isArray(roles) ? (roles as readonly unknown[]) : []) {
    if (!isObject(each)) continue;
    const { role, tenantIds } = each;
    const named: readonly unknown[] = Array.isArray(tenantIds) ? tenantIds : ['public'];
    if (named.length > 0) tenants.set(role, new Set([...(tenants.get(role) ?? []), ...named]));
  }
  const texts = [...tenants].map(([role, all]) =>
    JSON.stringify([role, all.size === 1 && all.has('public') ? null : [...all].sort()]),
  );
  return JSON.stringify(texts.sort());
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
