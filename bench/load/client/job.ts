import type { Phase } from '../../../src/load/arrivals.ts';
import type { Moment, OpenResult, Patience } from '../../../src/load/open-loop.ts';
import type { LatencyMs, Tallied } from '../../../src/load/tally.ts';

/** The task of the load generator, and its result: plain data, which is sent to its process and back. */

export interface LoadJob {
  readonly url: string;
  readonly apiKey: string;
  readonly traffic: Traffic;
  readonly loop: Loop;
  /** A visit up to this duration is in time. Left out: any duration. */
  readonly inTimeMs?: number;
}

/** The requested load. Each visit is one action of a person or a program: one request, or two in sequence. */
export type Traffic =
  /** New users with a bcrypt hash; `tag` distinguishes their emails from those of every other run. */
  | { readonly kind: 'import'; readonly tag: string }
  /** Users of `people.ts`, in turn and repeatedly. */
  | { readonly kind: 'sign-in'; readonly from: number; readonly people: number; readonly password: string }
  /** A token for one of them, and its redemption. A user can be verified only once. */
  | { readonly kind: 'verify-email'; readonly from: number; readonly people: number }
  /** These bodies, in turn and repeatedly. */
  | { readonly kind: 'posts'; readonly path: string; readonly bodies: readonly string[] }
  /** Sessions by their refresh tokens: each is refreshed, and the new access token used. A token serves once. */
  | { readonly kind: 'refresh-and-use'; readonly tokens: readonly string[] }
  /** Users sign in, and each then begins a session. */
  | {
      readonly kind: 'sign-in-with-session';
      readonly from: number;
      readonly people: number;
      readonly password: string;
    }
  /** The same GET each time; in a closed loop. */
  | { readonly kind: 'get'; readonly path: string }
  /** The same request each time; `expected` is the expected status. */
  | { readonly kind: 'fixed'; readonly path: string; readonly body: string; readonly expected: number };

export type Loop = ClosedLoop | OpenLoop;

/** Each connection waits for its answer before it sends the next request: finds the maximum rate of the core. */
export interface ClosedLoop {
  readonly kind: 'closed';
  readonly connections: number;
  /** The total number of visits, or the duration. */
  readonly until: { readonly visits: number } | { readonly seconds: number };
  /** Requests that a connection sends ahead; only for fixed traffic. Default 1. */
  readonly pipelining?: number;
}

/** Visits begin at their times, whatever the outcome of earlier ones: the behaviour of people. */
export interface OpenLoop {
  readonly kind: 'open';
  /** In sequence. */
  readonly phases: readonly Phase[];
  /** Left out: they wait for any time, and come once. */
  readonly patience?: Patience;
}

export interface LoadResult extends Tallied {
  /** Successful visits a second. */
  readonly perSecond: number;
  readonly seconds: number;
  /** Planned visits a second; only in an open loop. */
  readonly plannedPerSecond?: number;
  /** All outcomes other than OK. */
  readonly failed: number;
  readonly cpuSeconds: number;
  /** Share of one CPU core that the generator used: near 1 means that it was the limit, not the core under test. */
  readonly cpuShare: number;
  /** How long refused visits waited for the refusal; only in an open loop, and undefined without any. */
  readonly refusalMs?: LatencyMs | undefined;
  /** How late visits began, ms; only in an open loop, where it is part of their latency. */
  readonly behindMs?: { readonly p99: number; readonly max: number };
  /** For the visits that arrived in it, whenever they ended; none in a closed loop. */
  readonly phases: OpenResult['phases'];
  /** The course of the load, ten times a second; none in a closed loop. */
  readonly timeline: readonly Moment[];
}
