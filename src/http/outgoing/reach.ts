/** Holds connections of the core to the addresses that a setting may reach. */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, type Reach } from '../../domain/access/reach.ts';

export type { LookupFunction };

/** Resolves names as the system does. */
export const usualLookup: LookupFunction = systemLookup;

/** The address is one that the setting may not reach. */
export class NotAllowed extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED';

  constructor() {
    super('ADDRESS_NOT_ALLOWED');
  }
}

/** For a host that is an address, which no look-up sees. @throws NotAllowed */
export function requireReach(hostname: string, reach: Reach): void {
  const host = hostname.replaceAll(/[[\]]/g, '');
  if (reach === 'public' && isIP(host) !== 0 && !isPublicAddress(host)) throw new NotAllowed();
}

/**
 * A look-up whose addresses are those that are connected to: a name that has another address a moment later gains nothing.
 * It fails with NotAllowed where no address is left.
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
