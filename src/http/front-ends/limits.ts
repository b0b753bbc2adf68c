/** What the settings say of connections. */
export interface ConnectionLimits {
  /** How long a connection may be idle between requests, ms. uWebSockets.js ends it after 8 to 12 s, whatever this says. */
  readonly keepAliveMs: number;
  /** Of a request's head, bytes. uWebSockets.js takes it from the first front end of a process. */
  readonly maxHeadBytes: number;
}
