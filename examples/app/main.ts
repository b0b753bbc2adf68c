/** `npm run example`: a small app next to a core, whose users come from another system. */
import { startExample } from './start.ts';
import { readSettings } from './settings.ts';

try {
  const example = await startExample(readSettings(process.env));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void example.close());
  console.log(`\nThe example is ready at ${example.url}   (Ctrl-C stops it)`);
} catch (error) {
  console.error(`The example did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
