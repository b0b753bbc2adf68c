/**
 * What the front end needs of the library that speaks HTTP. uWebSockets.js has responses and requests of this shape as they
 * are; whatever else speaks HTTP is given the same shape, with the same promises.
 */

/** One request's head. Gone when the call that brings it returns. */
export interface NativeRequest {
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  getQuery(): string | undefined;
  /** Every header in the order in which it came, also of one name twice; names in lower case. */
  forEach(visit: (name: string, value: string) => void): void;
}

/**
 * The other half of it: what is read of the body, and what is answered. After its answer, or after `onAborted`, it is not
 * touched again.
 */
export interface NativeResponse {
  /** Of the other end of the connection, its bytes or as text. Asked within the call that brings the request. */
  getRemoteAddress(): ArrayBuffer | string;
  /** The client hung up, or was dropped, before the answer was complete. */
  onAborted(handler: () => void): unknown;
  /** Called within the call that brings the request, or the body is passed over. A chunk is valid during the call only. */
  onData(take: (chunk: ArrayBuffer | Uint8Array, isLast: boolean) => void): unknown;
  /** Nothing more is read, apart from what is under way; the time-out of a slow sender stands still. */
  pause(): void;
  /** Reads on; the time-out of a slow sender begins again. */
  resume(): void;
  /** The handler returns whether it failed to write nothing: always true here. */
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(write: () => void): unknown;
  writeStatus(line: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** @returns false when it was kept in memory because the client does not read fast enough */
  write(chunk: string | Uint8Array): boolean;
  end(body?: string, closes?: boolean): unknown;
  endWithoutBody(): unknown;
  /** Cuts the connection. */
  close(): unknown;
}

/** A chunk as it came, without a copy. */
export function bytesOf(chunk: ArrayBuffer | Uint8Array): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk);
}

/** Called for every request, whatever its path and verb. */
export type Serve = (response: NativeResponse, request: NativeRequest) => void;

/** A library's own server. */
export interface NativeServer {
  /** @returns the port, which the system chooses when 0 was asked for. @throws Error when the address cannot be had */
  listen(host: string, port: number): Promise<number>;
  /** Takes no new connections; those that are there live on. */
  stopListening(): void;
  /** Ends every connection: all answers were given. */
  close(): void;
}

/** What a library is reduced to. Nothing listens yet. */
export type FrontEnd = (serve: Serve) => NativeServer;
