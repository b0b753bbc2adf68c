import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type DemoCore, startDemoCore } from './demo-core.ts';

/**
 * `npm run demo -- --console`: a core with 20,000 made-up people, a move that has begun, and some who sign in, to look at in a browser.
 * Ends with Ctrl-C, and leaves nothing behind.
 */

const password = 'correct horse battery staple';
const everyMs = 700;

interface StagedFile {
  readonly id: string;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function importPeople(core: DemoCore): Promise<void> {
  const made = await core.call('POST', '/console/demo', {});
  const [file, passwords] = [made.file as StagedFile, made.passwords as StagedFile];
  const input = { kind: 'import', files: [file.id], canaries: passwords.id };
  const { run } = (await core.call('POST', '/console/runs', input)) as { run: { id: string } };
  for (;;) {
    const { run: now } = (await core.call('GET', `/console/runs/${run.id}`, {})) as {
      run: { state: string; exitCode: number; said: string };
    };
    if (now.state === 'ended' && now.exitCode > 1) throw new Error(now.said);
    if (now.state === 'ended') return;
    await delay(200);
  }
}

/** Most type the right password. */
async function signInsUntil(core: DemoCore, stop: AbortSignal): Promise<void> {
  const { users } = (await core.call('GET', '/users', { limit: '500' })) as {
    users: { emails: string[] }[];
  };
  for (let n = 0; !stop.aborted; n++) {
    const email = users[(n * 37) % users.length]?.emails[0];
    const given = n % 12 === 7 ? 'mistyped' : password;
    if (email !== undefined) await core.call('POST', '/recipe/signin', { email, password: given });
    await delay(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

export async function runConsoleDemo(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop.abort();
    });
  print('Starting PostgreSQL and the core in a temporary folder');
  const core = await startDemoCore('');
  try {
    print('Importing 20,000 made-up people');
    await importPeople(core);
    await core.call('POST', '/move', { system: 'laravel', address: 'mysql://db.shop.example/shop' });
    print(`\n  ${styleText('green', '✓')} look at it: ${styleText('bold', `${core.url}/console`)}`);
    print(`    API key    ${core.key}`);
    print('    Ctrl-C     ends it, and leaves nothing behind');
    await signInsUntil(core, stop.signal);
  } finally {
    process.exitCode = (await core.stop()) === 0 ? 0 : 1;
  }
}
