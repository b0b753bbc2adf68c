import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A separate core for the demo: the real server as a process, with its data in a temporary folder. */
export interface DemoCore {
  readonly url: string;
  readonly key: string;
  /** @returns the answer's body of a request that the contract answers with 200 @throws Error for any other status */
  call(
    method: 'GET' | 'POST',
    endpoint: string,
    input: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  /** Stops the core as an orchestrator would and removes its folder. @returns the core's exit code */
  stop(): Promise<number | null>;
}

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Only the variables that a process needs: the caller's settings must not change the demo. */
function environment(settings: Record<string, string>): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...settings };
}

/** @param signerKey empty: none @throws Error with what the core printed when it does not become ready */
export async function startDemoCore(signerKey: string): Promise<DemoCore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carryover-demo-'));
  await chmod(folder, 0o711); // as root, PostgreSQL runs as another user, who needs access
  const dataDir = path.join(folder, 'data');
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    ...(signerKey !== '' && { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: signerKey }),
  };
  const child = spawn(process.execPath, [main], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const cleanUp = async (): Promise<number | null> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
    return child.exitCode;
  };
  try {
    const url = `http://127.0.0.1:${await portWhenReady(child)}`;
    const key = (await readFile(path.join(dataDir, 'api-key'), 'utf8')).trim();
    return { url, key, call: caller(url, key), stop: cleanUp };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** Reads the core's log until it is ready; the line before has its address. */
async function portWhenReady(child: ChildProcess): Promise<number> {
  const printed: string[] = [];
  let port = 0;
  child.stderr?.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  if (!child.stdout) throw new Error('the core has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(line);
    const entry = parseLine(line);
    if (entry.msg === 'listening') port = Number(entry.port);
    if (entry.msg === 'ready') {
      child.stdout.resume(); // a full pipe would stop the core
      return port;
    }
  }
  throw new Error(`the core did not start:\n${printed.join('\n')}`);
}

function parseLine(line: string): { msg?: unknown; port?: unknown } {
  try {
    return JSON.parse(line) as { msg?: unknown; port?: unknown };
  } catch {
    return {};
  }
}

function caller(url: string, key: string): DemoCore['call'] {
  return async (method, endpoint, input) => {
    const headers = { 'api-key': key };
    const response = await (method === 'GET'
      ? fetch(`${url}${endpoint}?${new URLSearchParams(input as Record<string, string>).toString()}`, {
          headers,
        })
      : fetch(`${url}${endpoint}`, { method, headers, body: JSON.stringify(input) }));
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`${method} ${endpoint} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
}
