export interface ConnectionLimits {
  /** Idle time between requests, ms. uWebSockets.js closes after 8 to 12 s regardless. */
  readonly keepAliveMs: number;
  /** Of a request's head, bytes. uWebSockets.js uses the value of a process's first front end. */
  readonly maxHeadBytes: number;
}
