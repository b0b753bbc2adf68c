import type { AuditTrailPort } from './audit/act.ts';
import type { Gate } from './authorize.ts';
import type { SenderPace } from './request/body-stream.ts';
import type { LargeBodies, Log, RequestMetrics, Tenants } from './ports.ts';
import type { BodyMemory, StreamMemory } from './request/memory.ts';

/** What all exchanges of a server share. */
export interface Front extends Gate {
  readonly tenants: Tenants;
  readonly metrics: RequestMetrics;
  readonly audit: AuditTrailPort;
  readonly log: Log;
  readonly maxBodyBytes: number;
  /** How slow the sender of a body to a streaming route may be. */
  readonly senderPace: SenderPace;
  readonly streamMemory: StreamMemory;
  /** Of bodies over 64 KiB. */
  readonly bodyMemory: BodyMemory;
  /** Of those whose key is judged when they are here: strangers do not keep those of others out. */
  readonly unjudgedBodyMemory: BodyMemory;
  readonly parseLargeBody: LargeBodies;
  /**
   * Aborted when the server drains. A request that begins is refused then, one that is answered ends its connection, and
   * what streams in or out stops.
   */
  readonly shutdown: AbortSignal;
  /**
   * Whether a stop was announced, or the server drains. Each answer ends its connection then: so clients that keep theirs for ever come to another
   * core before this one refuses them.
   */
  readonly isStopping: () => boolean;
  /** Called once per exchange, when nothing of it is running any more. */
  readonly ended: () => void;
}
