import type { FrontEndChoice } from '../../config/shape.ts';
import { reasonOf } from '../../process/log.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { ConnectionLimits } from './limits.ts';
import type { FrontEnd } from './native.ts';
import { nodeHttpFrontEnd } from './node-http.ts';
import { type First, succession } from './succession.ts';
import type { Log } from '../ports.ts';

/** Loads uWebSockets.js; not called unless needed. */
type Load = (limits: ConnectionLimits) => Promise<First>;

const loadUWebSockets: Load = async ({ maxHeadBytes }) => {
  // The library reads this only when it is loaded.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE = String(maxHeadBytes);
  const { uWebSocketsFrontEnd } = await import('./uwebsockets.ts');
  return uWebSocketsFrontEnd;
};

const unread = 'connections end before a request of theirs is served';
const unreadAdvice =
  'A proxy or a check that speaks HTTP/1.0 gets 505 from uWebSockets.js: set "proxy_http_version 1.1" in nginx, "option httpchk" with ' +
  '"http-check send ver HTTP/1.1 hdr Host core" in HAProxy, or front_end to AUTO or NODE_HTTP here; see docs/operate/proxy.md. ' +
  'A check that only opens connections is harmless';
const changeAdvice =
  'They speak HTTP/1.0, which uWebSockets.js answers with 505, or only look whether the port is open. front_end NODE_HTTP serves them ' +
  'from the start, UWEBSOCKETS never does; see docs/operate/proxy.md';

export const usualLimits: ConnectionLimits = { keepAliveMs: 75_000, maxHeadBytes: 4096 };

interface LoadOptions {
  readonly limits?: ConnectionLimits;
  readonly load?: Load;
}

/**
 * AUTO uses node:http, with a log line, if uWebSockets.js cannot be loaded or rejects clients unread.
 * @throws StartupError when uWebSockets.js was requested by name and cannot be loaded
 */
export async function loadFrontEnd(
  choice: FrontEndChoice,
  log: Pick<Log, 'warn'>,
  { limits = usualLimits, load = loadUWebSockets }: LoadOptions = {},
): Promise<FrontEnd> {
  const nodeHttp = nodeHttpFrontEnd(limits);
  if (choice === 'NODE_HTTP') return nodeHttp;
  const first = await load(limits).catch((error: unknown) => {
    if (choice === 'AUTO') return reasonOf(error);
    throw new StartupError(
      `uWebSockets.js cannot be loaded on ${platform()}: set 'front_end' to NODE_HTTP or AUTO`,
      { cause: error },
    );
  });
  if (typeof first === 'string') {
    // Its loader appends Node's message, which contains local paths.
    const [reason] = first.split('\n', 1);
    log.warn({ reason, platform: platform() }, 'uWebSockets.js cannot be loaded here, so node:http serves');
    return nodeHttp;
  }
  if (choice === 'UWEBSOCKETS')
    return first(() => {
      log.warn({ advice: unreadAdvice }, unread);
    });
  return succession(first, nodeHttp, (error) => {
    if (error === undefined) log.warn({ advice: changeAdvice }, `${unread}: node:http serves from now on`);
    else log.warn({ reason: reasonOf(error), advice: unreadAdvice }, unread);
  });
}

function platform(): string {
  return `${process.platform} ${process.arch} with Node ${process.versions.node}`;
}
