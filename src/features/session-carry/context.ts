import type { Tenant } from '../../domain/model.ts';
import type { OperationsContext } from '../../operations/context.ts';
import type { GuessThrottle } from '../../operations/sign-in/throttle.ts';
import type { SessionIssuer } from '../sessions/feature.ts';
import type { CarryStore } from './model.ts';
import type { Opening } from './open-token.ts';
import type { CarryReason } from './refused.ts';

export interface CarryContext {
  readonly heart: OperationsContext;
  readonly carries: CarryStore;
  readonly sessions: SessionIssuer;
  readonly opening: Opening;
  /** Slows down clients that send refused tokens. */
  readonly throttle: GuessThrottle;
  /** Called with the outcome of each token. */
  readonly onToken: (token: TokenNote) => void;
}

export interface TokenNote extends Pick<Tenant, 'appId' | 'tenantId'> {
  readonly source: string;
  readonly result: 'carried' | 'repeated' | CarryReason;
}
