import type { KeyHolder } from '../domain/access/key-holder.ts';
import type { Tenant } from '../domain/model.ts';
import type { BodyForm } from '../schema/forms.ts';

export interface CoreKeys {
  /** In constant time. */
  holderOf(key: string): KeyHolder | undefined;
}

/** A request of a browser that has no key. */
export interface DoorRequest {
  readonly cookies: string;
  readonly csrf: string;
  readonly appId: string;
  readonly method: string;
  /** As in the table of routes. */
  readonly path: string;
}

/** Authorises requests of pages that a feature serves, by their cookie. @returns undefined without a valid session */
export type Door = (request: DoorRequest) => KeyHolder | undefined;

export interface Tenants {
  find(appId: string, tenantId: string): Tenant | undefined | Promise<Tenant | undefined>;
}

/**
 * Parses and validates a body in a thread.
 * @param bytes their memory is transferred
 * @throws Refusal as the form's parse, and OVERLOADED
 */
export type LargeBodies = (form: BodyForm, bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>;

/** One observed request; call `done` once. */
export interface RequestObservation {
  /** @param status the HTTP status, or 499 when the client hung up first */
  done(status: number, seconds: number): void;
}

export interface RequestMetrics {
  /** @param route the path in the route table, or `unmatched`; @param method a known verb, or `other` */
  request(route: string, method: string): RequestObservation;
}

type Write = (details: object, message: string) => void;

export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}
