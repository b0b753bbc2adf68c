/** nginx and HAProxy from Debian's packages, before a core of the tests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

export interface Proxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param servers the content of `http { … }`; it listens on 8080 there */
export async function startNginx(servers: string): Promise<Proxy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-nginx-'));
  const port = await freePort();
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  const http = servers.replace('listen 8080', `listen 127.0.0.1:${port}`);
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {}`;
  await writeFile(path.join(folder, 'nginx.conf'), `${main} http { access_log off; ${temporary} ${http} }`);
  return running(spawn('nginx', ['-c', `${folder}/nginx.conf`, '-e', `${folder}/log`]), folder, port);
}

/** @param backend a backend by the name of carryover, with its `timeout`s */
export async function startHaproxy(backend: string): Promise<Proxy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-haproxy-'));
  const port = await freePort();
  const front = `frontend in\n  mode http\n  timeout client 60s\n  bind 127.0.0.1:${port}\n  default_backend carryover\n`;
  await writeFile(path.join(folder, 'haproxy.cfg'), `${front}${backend}\n`);
  return running(spawn('haproxy', ['-db', '-f', `${folder}/haproxy.cfg`]), folder, port);
}

/** A whole configuration that listens on 3567. @param servers host and port by the names in the configuration */
export async function startHaproxyOf(
  configuration: string,
  servers: Readonly<Record<string, string>>,
): Promise<Proxy> {
  const port = await freePort();
  const text = Object.entries(servers).reduce(
    (whole, [name, address]) => whole.replace(`${name}:3567`, address),
    configuration.replace('bind :3567', `bind 127.0.0.1:${port}`),
  );
  return runHaproxy(text, port);
}

/** @param configuration as HAProxy reads it; it listens on this port of loopback */
export async function runHaproxy(configuration: string, port: number): Promise<Proxy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-haproxy-'));
  await writeFile(path.join(folder, 'haproxy.cfg'), configuration);
  return running(spawn('haproxy', ['-db', '-f', `${folder}/haproxy.cfg`]), folder, port);
}

async function running(child: ChildProcess, folder: string, port: number): Promise<Proxy> {
  const exit = once(child, 'exit');
  let said = '';
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`the proxy did not start: ${said}`);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = net.connect(port, '127.0.0.1', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => setTimeout(resolve, 20, false));
  return promise;
}
