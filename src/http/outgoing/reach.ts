/** Restricts connections of the core to the addresses that a setting may reach. */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, type Reach } from '../../domain/access/reach.ts';

export type { LookupFunction };

export const usualLookup: LookupFunction = systemLookup;

export class NotAllowed extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED';

  constructor() {
    super('ADDRESS_NOT_ALLOWED');
  }
}

/** For hosts that are addresses, which no look-up checks. @throws NotAllowed */
export function requireReach(hostname: string, reach: Reach): void {
  const host = hostname.replaceAll(/[[\]]/g, '');
  if (reach === 'public' && isIP(host) !== 0 && !isPublicAddress(host)) throw new NotAllowed();
}

/**
 * Checks the same addresses that are then connected to, so changing DNS answers gain nothing. Fails with NotAllowed if no address
 * is left.
 */
export function lookupWithin(reach: Reach, lookup: LookupFunction): LookupFunction {
  if (reach === 'any') return lookup;
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const all = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const allowed = all.filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (first === undefined) callback(new NotAllowed(), '');
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
