/** A core reduced to its PostgreSQL, as a process that tests can kill: prints the server's pid, then stays. */
import { createLogger } from '../../src/process/log.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';

const [dataDir = ''] = process.argv.slice(2);
const embedded = await startEmbedded({ dataDir, log: createLogger({ level: 'silent' }) });
process.stdout.write(`${embedded.pid}\n`);
