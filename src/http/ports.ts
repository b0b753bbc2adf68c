import type { KeyHolder } from '../domain/access/key-holder.ts';
import type { Tenant } from '../domain/model.ts';
import type { BodyForm } from '../schema/forms.ts';

/** What the front end needs of others. */
export interface CoreKeys {
  /** Whose key it is, in constant time. */
  holderOf(key: string): KeyHolder | undefined;
}

export interface Tenants {
  find(appId: string, tenantId: string): Tenant | undefined | Promise<Tenant | undefined>;
}

/**
 * Parses and validates a body outside the event loop.
 * @param bytes their memory is given away
 * @throws Refusal as the form's parse, and OVERLOADED
 */
export type LargeBodies = (form: BodyForm, bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>;

/** One observed request; `done` is called exactly once. */
export interface RequestObservation {
  /** @param status the HTTP status, or 499 when the client hung up first */
  done(status: number, seconds: number): void;
}

export interface RequestMetrics {
  /** @param route the path in the route table, or `unmatched`; @param method a known verb, or `other` */
  request(route: string, method: string): RequestObservation;
}

type Write = (details: object, message: string) => void;

/** The part of pino that is used here. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
