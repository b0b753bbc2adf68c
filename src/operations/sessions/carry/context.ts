import type { Tenant } from '../../../domain/model.ts';
import type { Exchange } from '../../ports/outgoing.ts';
import type { GuessThrottle } from '../../sign-in/throttle.ts';
import type { CarryReason } from './refused.ts';

/** What carrying sessions over needs in addition to the stores. */
export interface CarryingContext {
  /** Asks for keys. */
  readonly send: Exchange;
  /** Redeems tokens, which may be taken once. */
  readonly sendOnce: Exchange;
  /** Slows down clients that bring refused tokens; absent where none are slowed down. */
  readonly throttle?: GuessThrottle;
  /** Called for each token, with what became of it: exactly, for the log. */
  readonly onToken: (token: TokenNote) => void;
}

export interface TokenNote extends Pick<Tenant, 'appId' | 'tenantId'> {
  readonly source: string;
  readonly result: 'carried' | 'repeated' | CarryReason;
}
