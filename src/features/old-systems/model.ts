import type { Tenant } from '../../domain/model.ts';
import type { Exchange, InDirectory } from '../../operations/ports/outgoing.ts';

/** `other-user`: right, but for another user than the one in question. `busy` and `open` were not sent. */
export type LegacyOutcome = 'right' | 'wrong' | 'other-user' | 'failed' | 'busy' | 'open' | 'remembered';

/** Why a record was rejected. */
export interface LegacyReject {
  readonly code: string;
  /** Path in the record, '' for the whole of it. */
  readonly field: string;
}

/** The requests to old systems, and the import of their answers. */
export interface LegacyAccess {
  readonly exchange: Exchange;
  readonly inDirectory: InDirectory;
  /** Imports one record as an import would. @returns why it was rejected, undefined if it was not */
  readonly importRecord: (tenant: Tenant, record: object) => Promise<LegacyReject | undefined>;
  readonly onAsked?: (source: string, outcome: LegacyOutcome, seconds: number) => void;
  /** Called when a question begins or ends its wait for a turn. */
  readonly onWaiting?: (source: string, change: 1 | -1) => void;
  /** Called when there was no answer, or it could not be stored. */
  readonly onTrouble?: (source: string, what: string, reason: string) => void;
}

/** Login methods whose password an old system still knows, by the users' last sign-in here, of any kind. */
export interface LegacyCount {
  readonly source: string;
  readonly users: number;
  readonly within30Days: number;
  readonly within90Days: number;
  /** Before that. */
  readonly earlier: number;
  readonly never: number;
}
