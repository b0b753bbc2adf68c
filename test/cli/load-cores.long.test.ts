/** `carryover load` through HAProxy on three cores, one of which is killed under load. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uriOf } from '../helpers/bulk-client.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { freePort } from '../helpers/free-port.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { type Program, runMain } from '../helpers/process.ts';
import { hasHaproxy, type Proxy, startHaproxyOf } from '../helpers/proxies.ts';

const apiKey = 'many-cores-key-0123456789';
const configuration = readFileSync(new URL('../../examples/many-cores/haproxy.cfg', import.meta.url), 'utf8');
const names = ['core-1', 'core-2', 'core-3'] as const;

interface View {
  readonly result: {
    readonly arrived: number;
    readonly outcomes: Readonly<Record<string, number>>;
    readonly cores: readonly { readonly name: string }[];
  };
}

let database: TestDatabase;
let place: Place;

async function startCore(port: number): Promise<Program> {
  const program = runMain({
    environment: {
      HOST: '127.0.0.1',
      PORT: String(port),
      API_KEYS: apiKey,
      ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
      POSTGRESQL_CONNECTION_URI: uriOf(database.connection),
      UPGRADE_PASSWORD_HASHES: 'false',
    },
  });
  await program.printed(/"msg":"ready"/);
  return program;
}

const environment = { CARRYOVER_API_KEY: apiKey };

async function appsAt(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/recipe/multitenancy/app/list/v2`, { headers: { 'api-key': apiKey } });
  const { apps } = (await answer.json()) as { apps: { appId: string }[] };
  return apps.map(({ appId }) => appId);
}

beforeAll(async () => {
  [database, place] = await Promise.all([createDatabase(), makePlace()]);
});
afterAll(async () => {
  await place.remove();
  await database.drop();
});

describe.runIf(hasHaproxy)('three cores behind HAProxy', () => {
  const programs: Program[] = [];
  let proxy: Proxy;

  beforeAll(async () => {
    const ports = await Promise.all(names.map(freePort));
    programs.push(...(await Promise.all(ports.map(startCore))));
    const servers = names.map((name, n) => [name, `127.0.0.1:${ports[n] ?? 0}`]);
    proxy = await startHaproxyOf(configuration, Object.fromEntries(servers) as Record<string, string>);
  });
  afterAll(async () => {
    await proxy.stop();
    await Promise.all(programs.map((each) => each.end('SIGKILL')));
  });

  test('are each seen, and a killed one does not end the load', async () => {
    await expect.poll(() => fetch(`${proxy.url}/hello`).then(({ status }) => status)).toBe(200);
    const args = ['--made-up', '50', '--mix', 'steady', '--rate', '6/s', '--for', '8s', '--yes', '--json'];
    const running = place.start(['load', proxy.url, ...args], { environment });
    await running.said(/\d s: /);
    await programs.pop()?.end('SIGKILL');
    const { code, stdout, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    const { result } = JSON.parse(stdout) as View;
    expect(result.cores.length).toBeGreaterThanOrEqual(2);
    expect(Object.values(result.outcomes).reduce((sum, each) => sum + each, 0)).toBe(result.arrived);
    expect(result.outcomes.OK).toBeGreaterThan(0);
    expect(await appsAt(proxy.url)).toEqual(['public']);
  });
});

describe('a core that is killed under load', () => {
  test('is said, the load goes on and reports, and the app is removed by --clean afterwards', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = await startCore(port);
    const args = ['--made-up', '20', '--mix', 'look.yaml', '--rate', '20/s', '--for', '8s'];
    await place.write('look.yaml', 'actions: {look-up: 1}\n');
    const all = ['load', url, ...args, '--yes', '--json', '--patience', '1'];
    const running = place.start(all, { environment });
    await running.said(/\d s: /);
    await program.end('SIGKILL');
    await running.said(/Nothing was answered for 2 s: the core, or what is before it, is away/);
    const { code, stdout, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    const { result } = JSON.parse(stdout) as View;
    expect(result.outcomes.ECONNREFUSED).toBeGreaterThan(0);
    expect(stderr).toMatch(/The app load-\S+ remains \(.*\)\. This removes it: .* load --clean .* --yes/);
    const again = await startCore(port);
    try {
      expect((await appsAt(url)).length).toBe(2);
      expect((await place.run(['load', url, '--clean', '--yes'], { environment })).code).toBe(0);
      expect(await appsAt(url)).toEqual(['public']);
    } finally {
      await again.end();
    }
  });
});
