/** Details as one text for all spellings that mean the same: what is compared, and what is digested. */

/** Keys in one order, at every depth; -0 is 0, as the database has it. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${entries.join(',')}}`;
}

/** Roles are a set, and so are the tenants of one. What is no list of them is an empty one. */
export function canonicalRoles(roles: unknown): string {
  const texts = Array.isArray(roles) ? roles.map((role: unknown) => JSON.stringify(comparable(role))) : [];
  return JSON.stringify([...new Set(texts)].sort());
}

function comparable(role: unknown): unknown {
  if (!isObject(role)) return role;
  const { role: name, tenantIds } = role;
  return [name, Array.isArray(tenantIds) ? [...new Set(tenantIds)].sort() : null];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
