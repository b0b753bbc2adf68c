import type { AuditTrailPort } from './audit/act.ts';
import type { Gate } from './authorize.ts';
import type { SenderPace } from './request/body-stream.ts';
import type { LargeBodies, Log, RequestMetrics, Tenants } from './ports.ts';
import type { BodyMemory, StreamMemory } from './request/memory.ts';

export interface Front extends Gate {
  readonly tenants: Tenants;
  readonly metrics: RequestMetrics;
  readonly audit: AuditTrailPort;
  readonly log: Log;
  readonly maxBodyBytes: number;
  readonly senderPace: SenderPace;
  readonly streamMemory: StreamMemory;
  /** For bodies over 64 KiB. */
  readonly bodyMemory: BodyMemory;
  /** For bodies whose key is checked afterwards, separate so that strangers cannot exhaust the other. */
  readonly unjudgedBodyMemory: BodyMemory;
  readonly parseLargeBody: LargeBodies;
  /** Aborted when the server drains: new requests are refused, answers close their connections, and streams stop. */
  readonly shutdown: AbortSignal;
  /**
   * Whether a stop was announced, or the server drains. Answers close their connections then, so that persistent clients reach
   * another core before this one refuses them.
   */
  readonly isStopping: () => boolean;
  /** Called once per exchange, when nothing of it runs any more. */
  readonly ended: () => void;
}
