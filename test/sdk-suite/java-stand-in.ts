/**
 * Stands in for `java … io.supertokens.Main ./ DEV host=H port=P test_mode`, by which old suites start a core. It makes an app
 * in the core of CARRYOVER_CORE with the settings of ./config.yaml, forwards H:P to the app, and writes its process id to
 * `.started/H-P`, where the suite waits for it. SIGTERM ends it.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { parse } from 'yaml';

/** Settings of a core that an app cannot have, or that this core does not know. */
const ofCore = [
  'host',
  'port',
  'base_path',
  'postgresql_connection_uri',
  'argon2_hashing_pool_size',
  'core_config_version',
  'access_token_blacklisting',
];

const core = new URL(process.env.CARRYOVER_CORE ?? '');
const agent = new http.Agent({ keepAlive: true });
const host = argument('host', 'localhost');
const port = Number(argument('port', '8080'));
const settings = (parse(readFileSync('config.yaml', 'utf8')) ?? {}) as Record<string, unknown>;
const basePath = typeof settings.base_path === 'string' ? settings.base_path.replace(/\/$/, '') : '';
const appId = `suite-${randomUUID()}`;

await makeApp();
const server = http.createServer(forward);
server.listen(port, host, () => {
  mkdirSync('.started', { recursive: true });
  writeFileSync(started(), String(process.pid));
});
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    rmSync(started(), { force: true });
    process.exit(0);
  });

function started(): string {
  return path.join('.started', `${host}-${port}`);
}

function argument(name: string, usual: string): string {
  const found = process.argv.find((each) => each.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? usual;
}

async function makeApp(): Promise<void> {
  const coreConfig = Object.fromEntries(Object.entries(settings).filter(([name]) => !ofCore.includes(name)));
  const answer = await fetch(new URL('/recipe/multitenancy/app/v2', core), {
    method: 'PUT',
    body: JSON.stringify({ appId, coreConfig }),
  });
  if (!answer.ok) throw new Error(`the core refuses the settings: ${await answer.text()}`);
}

function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
  const { method, headers } = request;
  const options = { agent, method, path: pathInCore(request.url ?? '/') };
  const onward = http.request(core, { ...options, headers: { ...headers, host: core.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

/** The public app of the suite's core is our app; it has no other. */
function pathInCore(url: string): string {
  const below = basePath !== '' && url.startsWith(basePath) ? url.slice(basePath.length) : url;
  return `/appid-${appId}${below.replace(/^\/appid-public(?=\/)/, '')}`;
}
