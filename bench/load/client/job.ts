/** What the load generator is told, and what it says at the end: plain data, as it crosses to its process and back. */

export interface LoadJob {
  readonly url: string;
  readonly apiKey: string;
  readonly traffic: Traffic;
  readonly loop: Loop;
  /** A visit that takes at most so long is in time. Left out: however long it takes. */
  readonly inTimeMs?: number;
}

/** What is asked for. Each visit is one thing that a person or a program does: one request, or two that follow. */
export type Traffic =
  /** New users with a bcrypt hash; `tag` distinguishes their emails from those of every other run. */
  | { readonly kind: 'import'; readonly tag: string }
  /** People of `people.ts`, one after the other and over again. */
  | { readonly kind: 'sign-in'; readonly from: number; readonly people: number; readonly password: string }
  /** A token for one of them, and its redemption. Nobody can be verified twice. */
  | { readonly kind: 'verify-email'; readonly from: number; readonly people: number }
  /** These bodies, one after the other and over again. */
  | { readonly kind: 'posts'; readonly path: string; readonly bodies: readonly string[] }
  /** Sessions by their refresh tokens: each is refreshed, and the new access token used. A token serves once. */
  | { readonly kind: 'refresh-and-use'; readonly tokens: readonly string[] }
  /** People sign in, and each then begins a session. */
  | {
      readonly kind: 'sign-in-with-session';
      readonly from: number;
      readonly people: number;
      readonly password: string;
    }
  /** The same GET each time; in a closed loop. */
  | { readonly kind: 'get'; readonly path: string }
  /** The same request each time; `expected` is what its status has to be. */
  | { readonly kind: 'fixed'; readonly path: string; readonly body: string; readonly expected: number };

export type Loop = ClosedLoop | OpenLoop;

/** Each connection waits for its answer before it asks again: finds the most that the core can do. */
export interface ClosedLoop {
  readonly kind: 'closed';
  readonly connections: number;
  /** Visits altogether, or for how long. */
  readonly until: { readonly visits: number } | { readonly seconds: number };
  /** Requests that a connection sends ahead; only for fixed traffic. Default 1. */
  readonly pipelining?: number;
}

/** Visits begin when their time has come, whatever became of those before: what people do. */
export interface OpenLoop {
  readonly kind: 'open';
  /** One after the other. */
  readonly phases: readonly Phase[];
  /** Left out: they wait for as long as it takes, and come once. */
  readonly patience?: Patience;
}

/** What people do who are not served: they give up and try again, or come back when they are told to. */
export interface Patience {
  /** How long they wait for an answer before they hang up, ms. */
  readonly waitMs: number;
  /** How often they try at the most, the first time included. */
  readonly tries: number;
}

/** Arrivals of a Poisson process: independent of each other, as those of people are. */
export interface Phase {
  /** Visits a second on average. */
  readonly rate: number;
  readonly seconds: number;
}

export interface LoadResult extends Tallied {
  /** Visits a second that went well. */
  readonly perSecond: number;
  readonly seconds: number;
  /** Visits a second that were planned; only in an open loop. */
  readonly plannedPerSecond?: number;
  /** Whatever is not OK. */
  readonly failed: number;
  readonly cpuSeconds: number;
  /** Share of one core that the generator used: near 1 means that it, not the core, was the limit. */
  readonly cpuShare: number;
  /** How long those told to come back waited for that; only in an open loop, and undefined when nobody was. */
  readonly refusalMs?: LatencyMs | undefined;
  /** How late visits began, ms; only in an open loop, where it is part of their latency. */
  readonly behindMs?: { readonly p99: number; readonly max: number };
  /** Of the visits that arrived in it, whenever they ended; none in a closed loop. */
  readonly phases: readonly (Phase & Tallied & { readonly arrived: number })[];
  /** How it went, ten times a second; none in a closed loop. */
  readonly timeline: readonly Moment[];
}

export interface Tallied {
  /** OK; else an HTTP status, the answer's status word, or the code of a network error. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of the visits that went well: in an open loop since they should have begun, so no late start hides a wait. */
  readonly latencyMs: LatencyMs;
  /** Share of all visits that went well, and in time. */
  readonly inTime: number;
}

export interface LatencyMs {
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** Visits since the start; and the tries that were told to come back, or given up. */
export interface Moment {
  readonly seconds: number;
  readonly arrived: number;
  readonly ok: number;
  readonly failed: number;
  readonly turnedAway: number;
}
