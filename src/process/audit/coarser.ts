import type { Act } from '../../domain/access/act.ts';

/** Stands for several tenants, or several apps, in an entry for more kinds of acts than are distinguished. */
export const several = '*';

/**
 * The number of kinds distinguished with their address (about a second of refusals from this number of addresses, and 1 MB), then
 * the number without it, then by app alone. All others are counted together: by key and act, which the configuration bounds.
 */
const room = { address: 1000, tenant: 1500, app: 2000 };

/**
 * The act in the precision in which it can be counted, so that the number of kinds is bounded whatever callers send.
 * @param kinds counted already
 * @returns undefined when it need not be less precise
 */
export function coarser(act: Act, kinds: number): Act | undefined {
  if (act.address !== undefined) return kinds < room.address ? undefined : { ...act, address: undefined };
  if (act.tenantId !== several) return kinds < room.tenant ? undefined : { ...act, tenantId: several };
  if (act.appId === several || kinds < room.app) return undefined;
  return { ...act, appId: several, who: act.who.startsWith('app:') ? `app:${several}` : act.who };
}

/** The key by which entries are counted. */
export function kindOf({ appId, tenantId, who, what, address = '' }: Act, outcome: string): string {
  return `${appId}\n${tenantId}\n${who}\n${what}\n${address}\n${outcome}`;
}
