import type { Act } from '../../domain/access/act.ts';

/** Stands for several tenants, or several apps, in an entry that counts more kinds of acts than are distinguished. */
export const several = '*';

/**
 * Number of kinds distinguished with their address (about a second of refusals from as many addresses, and 1 MB), then so
 * many more without it, then by app alone. All the others are counted together: by key and act, which the configuration bounds.
 */
const room = { address: 1000, tenant: 1500, app: 2000 };

/**
 * The act as it can be counted, so that the number of kinds is bounded whatever callers send.
 * @param kinds that are counted already
 * @returns undefined when it need not be described less exactly
 */
export function coarser(act: Act, kinds: number): Act | undefined {
  if (act.address !== undefined) return kinds < room.address ? undefined : { ...act, address: undefined };
  if (act.tenantId !== several) return kinds < room.tenant ? undefined : { ...act, tenantId: several };
  if (act.appId === several || kinds < room.app) return undefined;
  return { ...act, appId: several, who: act.who.startsWith('app:') ? `app:${several}` : act.who };
}

/** What entries are counted by. */
export function kindOf({ appId, tenantId, who, what, address = '' }: Act, outcome: string): string {
  return `${appId}\n${tenantId}\n${who}\n${what}\n${address}\n${outcome}`;
}
