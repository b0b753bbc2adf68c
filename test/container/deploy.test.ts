/** The unit of systemd, the manifests of Kubernetes and compose.yaml, against the settings, the routes and the image. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type Config, loadConfig } from '../../src/config/load.ts';
import { type Key, settings } from '../../src/config/schema.ts';
import type { SettingSchema } from '../../src/config/setting.ts';
import { runHere } from '../helpers/command.ts';
import { testApiKey } from '../helpers/core.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const dockerfile = read('Dockerfile');
const defaults = loadConfig({ environment: {} });

type Environment = Readonly<Record<string, string>>;

const secrets: Environment = {
  'api-keys': testApiKey,
  'encryption-keys': Buffer.alloc(32, 1).toString('base64'),
  'database-uri': 'postgresql://core:secret@database/auth',
};
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-deploy-'));
  for (const [name, text] of Object.entries(secrets)) writeFileSync(path.join(folder, name), `${text}\n`);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Read as the core reads it, with the files of its secrets where the tests have them. */
function configOf(environment: Environment): Config {
  const entries = Object.entries(environment).map(([name, value]) => {
    expect(settingOf(name), `${name} is no setting`).toBeDefined();
    return [name, name.endsWith('_FILE') ? path.join(folder, path.basename(value)) : value] as const;
  });
  return loadConfig({ environment: Object.fromEntries(entries) });
}

/** Only secrets may stand in files. */
function settingOf(name: string): object | undefined {
  const all: Readonly<Record<Key, SettingSchema>> = settings.properties;
  const key = name.replace(/_FILE$/, '').toLowerCase() as Key;
  const found = Object.hasOwn(all, key) ? all[key] : undefined;
  return name.endsWith('_FILE') && found?.writeOnly !== true ? undefined : found;
}

describe('the unit of systemd', () => {
  const file = 'deploy/systemd/carryover.service';
  const lines = read(file)
    .split('\n')
    .filter((line) => line.includes('=') && !/^#[^A-Z]|^# /.test(line));
  const all = (name: string, isProposed = false): string[] =>
    lines.flatMap((line) => {
      const [, mark, key, value = ''] = /^(#?)(\w+)=(.*)$/.exec(line) ?? [];
      return key === name && (mark === '#') === isProposed ? [value] : [];
    });
  const environmentOf = (texts: readonly string[]): Environment =>
    Object.fromEntries(
      texts.flatMap((text) => text.split(' ').map((each) => each.split('=') as [string, string])),
    );

  it('gives the core settings that it has, and time to stop', () => {
    const { drainDelayMs, shutdownTimeoutMs, dataDir } = configOf(environmentOf(all('Environment')));
    const postgresMs = 30_000;
    const [timeout] = all('TimeoutStopSec');
    expect(Number(timeout) * 1000).toBeGreaterThan(drainDelayMs + shutdownTimeoutMs + postgresMs);
    expect([dataDir, ...all('StateDirectory')]).toEqual(['/var/lib/carryover', 'carryover']);
  });

  it('proposes secrets from files that it also loads', () => {
    const environment = environmentOf(all('Environment', true));
    const config = configOf(environment);
    expect(config.apiKeys).toEqual([testApiKey]);
    expect(config.postgresqlConnectionUri).toBe(secrets['database-uri']);
    const loaded = all('LoadCredential', true).map((each) => `%d/${each.split(':')[0] ?? ''}`);
    expect(loaded).toEqual(Object.values(environment));
  });

  it('sends the signal to the core alone, which stops its PostgreSQL itself', () => {
    expect([...all('KillMode'), ...all('KillSignal')]).toEqual(['mixed', 'SIGTERM']);
  });

  it('runs what the package installs, as a user of its own', async () => {
    expect(all('ExecStart')).toEqual(['/usr/local/bin/carryover serve']);
    expect((await runHere(['serve', '--help'], { folder })).code).toBe(0);
    expect(all('User')).toEqual(['carryover']);
    // The core has no way to tell systemd that it is ready.
    expect(all('Type')).toEqual(['exec']);
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.runIf(hasSystemd)('is what systemd understands, where this machine has it', () => {
    const unit = path.join(folder, 'carryover.service');
    writeFileSync(unit, read(file).replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
    expect(execFileSync('systemd-analyze', ['verify', unit], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });
});

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: object;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly securityContext: object;
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly timeoutSeconds?: number;
}

interface Pod {
  readonly terminationGracePeriodSeconds?: number;
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: { readonly runAsUser: number; readonly runAsNonRoot: boolean };
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string }[];
}

interface Template {
  readonly metadata: { readonly labels: object };
  readonly spec: Pod;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly selector?: object;
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec: { readonly template: Template } };
    readonly podSelector?: object;
    readonly minAvailable?: number;
    readonly replicas?: number;
    readonly ports?: readonly { readonly port: number; readonly targetPort: string }[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: string }[] }[];
  };
}

const manifests = readdirSync(path.join(root, 'deploy/kubernetes')).flatMap((name) =>
  parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  }),
);
const find = (kind: string): NonNullable<Manifest['spec']> => {
  const found = manifests.find((each) => each.kind === kind);
  if (!found?.spec) throw new Error(`no ${kind}`);
  return found.spec;
};
const templateOf = ({ spec }: Manifest): Template | undefined =>
  spec?.template ?? spec?.jobTemplate?.spec.template;
const pods = manifests.flatMap((each) => {
  const template = templateOf(each);
  return template === undefined ? [] : [[each.kind, template.spec] as const];
});
const environmentOf = ({ env }: Container): Environment =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));

/** Of the kinds that are used, as Kubernetes 1.25 and newer have them. */
const versions: Readonly<Record<string, string>> = {
  ...{ ServiceAccount: 'v1', Service: 'v1', Deployment: 'apps/v1', Job: 'batch/v1', CronJob: 'batch/v1' },
  ...{ PodDisruptionBudget: 'policy/v1', NetworkPolicy: 'networking.k8s.io/v1' },
};

it.each(manifests.map((each) => [each.kind, each] as const))(
  'the %s has a version that is served, and a name that it may have',
  (kind, { apiVersion, metadata }) => {
    expect(apiVersion).toBe(versions[kind]);
    expect(metadata.name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
  },
);

describe.each(pods)('the pod of the %s', (_kind, pod) => {
  const [container] = pod.containers;

  it('gives settings that there are, and secrets by files that are mounted', () => {
    const environment = environmentOf(container);
    expect(configOf(environment).postgresqlConnectionUri).toBe(secrets['database-uri']);
    const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
    for (const [name, file] of Object.entries(environment))
      if (name.endsWith('_FILE')) expect(mounts).toContain(path.dirname(file));
    expect(pod.volumes.map(({ name }) => name)).toEqual(container.volumeMounts.map(({ name }) => name));
  });

  it('is the user of the image, and may no more than it needs', () => {
    const [, uid] = /^USER (\d+):/m.exec(dockerfile) ?? [];
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(uid) });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
  });

  it('runs a command that there is', async () => {
    const words = (container.command ?? []).join(' ').split(' ');
    if (words.length < 2) return;
    const name = words[words.indexOf('carryover') + 1] ?? '';
    const help = await runHere([name, '--help'], { folder });
    expect(help.code).toBe(0);
    for (const flag of words.filter((word) => word.startsWith('--'))) expect(help.stdout).toContain(flag);
  });
});

describe('the cores in Kubernetes', () => {
  const deployment = find('Deployment');
  const pod = deployment.template?.spec;
  if (!pod) throw new Error('the Deployment has no pod');
  const [core] = pod.containers;
  const port = core.ports?.[0];

  it('stop within the time that they get, after the cluster has noticed', () => {
    const { drainDelayMs, shutdownTimeoutMs } = configOf(environmentOf(core));
    expect(drainDelayMs).toBeGreaterThanOrEqual(5000);
    expect((pod.terminationGracePeriodSeconds ?? 30) * 1000).toBeGreaterThan(
      drainDelayMs + shutdownTimeoutMs,
    );
    // A hook's time would be taken from the same grace period.
    expect(core.lifecycle).toBeUndefined();
  });

  it('are restarted by /livez alone, and get requests by /readyz, which answers within 2 s', () => {
    const documented = read('docs/reference/http.md');
    expect([core.livenessProbe?.httpGet.path, core.readinessProbe?.httpGet.path]).toEqual([
      '/livez',
      '/readyz',
    ]);
    for (const probe of [core.livenessProbe, core.readinessProbe]) {
      expect(documented).toContain(`\`GET ${probe?.httpGet.path ?? ''}\``);
      expect(probe?.httpGet.port).toBe(port?.name);
    }
    expect(core.readinessProbe?.timeoutSeconds).toBeGreaterThan(2);
  });

  it('are reached at one port by all parts', () => {
    const exposed = Number(/^EXPOSE (\d+)/m.exec(dockerfile)?.[1]);
    expect([port?.containerPort, defaults.port, find('Service').ports?.[0]?.port]).toEqual([
      exposed,
      exposed,
      exposed,
    ]);
    expect(find('Service').ports?.[0]?.targetPort).toBe(port?.name);
    expect(find('NetworkPolicy').ingress?.[0]?.ports[0]?.port).toBe(port?.name);
  });

  it('are who the service, the policy and the budget mean', () => {
    const labels = deployment.template?.metadata.labels;
    expect(deployment.selector).toEqual({ matchLabels: labels });
    expect(find('PodDisruptionBudget').selector).toEqual({ matchLabels: labels });
    expect(find('NetworkPolicy').podSelector).toEqual({ matchLabels: labels });
    expect(find('Service').selector).toEqual(labels);
    expect(find('PodDisruptionBudget').minAvailable).toBeLessThan(deployment.replicas ?? 1);
  });

  it('have more memory than hashes and imports may take', () => {
    const [, amount = '', unit] = /^(\d+)([MG])i$/.exec(core.resources.limits.memory) ?? [];
    const mib = Number(amount) * (unit === 'G' ? 1024 : 1);
    expect(mib).toBeGreaterThan(
      settings.properties.hashing_memory_budget_mb.default +
        settings.properties.import_memory_budget_mb.default,
    );
  });
});

describe('the image', () => {
  it('gives a uid that it does not know a home that it may write: its volume', () => {
    const [, pairs = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
    const environment = Object.fromEntries(pairs.split(' ').map((pair) => pair.split('='))) as Environment;
    const [, volume] = /^VOLUME (.*)$/m.exec(dockerfile) ?? [];
    expect([environment.HOME, environment.DATA_DIR]).toEqual([volume, volume]);
  });
});

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml')) as {
    services: Readonly<
      Record<
        string,
        {
          environment: Readonly<Record<string, string | number>>;
          stop_grace_period: string;
          ports: readonly string[];
        }
      >
    >;
  };
  const core = services.core;
  if (!core) throw new Error('compose.yaml has no core');

  it('gives the core settings that it has, its port, and time to stop', () => {
    const texts = Object.entries(core.environment).map(([name, value]) => [
      name,
      String(value).replace(/^\$\{\w+:-\}$/, ''),
    ]);
    const { drainDelayMs, shutdownTimeoutMs, port } = configOf(Object.fromEntries(texts) as Environment);
    expect(Number.parseInt(core.stop_grace_period, 10) * 1000).toBeGreaterThan(
      drainDelayMs + shutdownTimeoutMs,
    );
    expect(core.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  });
});
