import type { RecordRules } from '../tasks.ts';
import type { Problem } from './problem.ts';

type Tenants = RecordRules['tenants'];

/**
 * The numbers of tenants by their ids, each once.
 * @param ids lower-cased; undefined for the public tenant alone
 * @param field the path of the list
 */
export function tenantNosOf(
  ids: readonly string[] | undefined,
  tenants: Tenants,
  field: string,
): readonly number[] | Problem {
  if (ids === undefined || ids.length === 1) return tenantNo(ids?.[0] ?? 'public', tenants, field);
  const numbers = new Set<number>();
  for (const id of ids) {
    const found = tenantNo(id, tenants, field);
    if (!Array.isArray(found)) return found;
    numbers.add(found[0]);
  }
  return [...numbers];
}

function tenantNo(id: string, tenants: Tenants, field: string): [number] | Problem {
  // A name such as `constructor` is a property of every object, but not a tenant.
  const number = Object.hasOwn(tenants, id) ? tenants[id] : undefined;
  return number === undefined ? unknown(id, field) : [number];
}

function unknown(id: string, field: string): Problem {
  const name = /^[a-z0-9-]{1,64}$/.test(id) ? ` '${id}'` : '';
  const message = `There is no tenant${name} in this app: create it before the import, or correct the record`;
  return { code: 'UNKNOWN_TENANT', field, message };
}
