import './process/node-20.ts';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { takeEnvironment } from './process/environment.ts';
import { runCore } from './core/run-core.ts';
import { StartupError } from './process/startup-error.ts';

interface StartOptions {
  readonly file: string;
  readonly endsWithInput: boolean;
}

/** @throws StartupError for unknown arguments */
function startOptions(): StartOptions {
  const options = { config: { type: 'string' }, 'ends-with-input': { type: 'boolean' } } as const;
  try {
    const { values } = parseArgs({ options });
    const file = values.config ?? fileURLToPath(new URL('../config.yaml', import.meta.url));
    return { file, endsWithInput: values['ends-with-input'] ?? false };
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new StartupError(`${reason}: the one option is --config FILE`, { cause: error });
  }
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

// The reader may be gone, or the disk full.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

try {
  await runCore({ ...startOptions(), environment: takeEnvironment(process.env), version: version() });
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
// A pending connection to an address without an answer would keep the process alive for minutes.
process.exit();
