import type { FrontEndChoice } from '../../config/shape.ts';
import { reasonOf } from '../../process/log.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { FrontEnd } from './native.ts';
import { nodeHttpServer } from './node-http.ts';
import type { Log } from '../ports.ts';

/** How uWebSockets.js is loaded; not at all unless it is called. */
type Load = () => Promise<FrontEnd>;

const loadUWebSockets: Load = async () => (await import('./uwebsockets.ts')).uWebSocketsServer;

/**
 * AUTO takes node:http where uWebSockets.js cannot be loaded, and logs that it does.
 * @throws StartupError when uWebSockets.js was asked for by name and cannot be loaded
 */
export async function loadFrontEnd(
  choice: FrontEndChoice,
  log: Pick<Log, 'warn'>,
  load = loadUWebSockets,
): Promise<FrontEnd> {
  if (choice === 'NODE_HTTP') return nodeHttpServer;
  try {
    return await load();
  } catch (error) {
    if (choice === 'UWEBSOCKETS')
      throw new StartupError(
        `uWebSockets.js cannot be loaded on ${platform()}: set 'front_end' to NODE_HTTP or AUTO`,
        { cause: error },
      );
    // Its loader repeats below what Node said, with the paths of this machine.
    const [reason] = reasonOf(error).split('\n', 1);
    log.warn({ reason, platform: platform() }, 'uWebSockets.js cannot be loaded here, so node:http serves');
    return nodeHttpServer;
  }
}

function platform(): string {
  return `${process.platform} ${process.arch} with Node ${process.versions.node}`;
}
