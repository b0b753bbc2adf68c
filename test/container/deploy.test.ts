/** The unit of systemd, the manifests of Kubernetes and compose.yaml, against the settings, the routes and the image. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as monitoring from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
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

/** Read as the core reads it, with the files of its secrets in the tests' folder. */
function configOf(environment: Environment): Config {
  const entries = Object.entries(environment).map(([name, value]) => {
    expect(settingOf(name), `${name} is no setting`).toBeDefined();
    return [name, name.endsWith('_FILE') ? path.join(folder, path.basename(value)) : value] as const;
  });
  return loadConfig({ environment: Object.fromEntries(entries) });
}

/** Only secrets may be in files. */
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
    // The core does not notify systemd when it is ready.
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
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly spec?: {
    readonly selector?: object;
    readonly template?: Template;
    readonly jobTemplate?: { readonly spec: { readonly template: Template } };
    readonly podSelector?: object;
    readonly minAvailable?: number;
    readonly replicas?: number;
    readonly scaleTargetRef?: { readonly name: string };
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

/** Of the used kinds, as in Kubernetes 1.25 and newer, with their schemas. */
const kinds: Readonly<Record<string, { readonly apiVersion: string; readonly Model: Model }>> = {
  ServiceAccount: { apiVersion: 'v1', Model: core.ServiceAccount },
  Service: { apiVersion: 'v1', Model: core.Service },
  Deployment: { apiVersion: 'apps/v1', Model: apps.Deployment },
  Job: { apiVersion: 'batch/v1', Model: batch.Job },
  CronJob: { apiVersion: 'batch/v1', Model: batch.CronJob },
  PodDisruptionBudget: { apiVersion: 'policy/v1', Model: policy.PodDisruptionBudget },
  NetworkPolicy: { apiVersion: 'networking.k8s.io/v1', Model: networking.NetworkPolicy },
  HorizontalPodAutoscaler: { apiVersion: 'autoscaling/v2', Model: autoscaling.HorizontalPodAutoscaler },
  ServiceMonitor: { apiVersion: 'monitoring.coreos.com/v1', Model: monitoring.ServiceMonitor },
};

type Model = new (manifest: never) => { validate(): void };

it.each(manifests.map((each) => [each.kind, each] as const))(
  'the %s has a version that is served, the fields of its schema, and a name that it may have',
  (kind, manifest) => {
    expect(manifest.apiVersion).toBe(kinds[kind]?.apiVersion);
    expect(manifest.metadata.name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
    const Model = kinds[kind]?.Model;
    if (Model === undefined) throw new Error(`no schema of ${kind}`);
    new Model(manifest as never).validate();
    const wrong = {
      ...manifest,
      spec: { ...manifest.spec, ports: 'none', template: 1, metrics: 1, endpoints: 1 },
    };
    if (manifest.spec && kind !== 'PodDisruptionBudget' && kind !== 'NetworkPolicy' && kind !== 'CronJob')
      expect(() => {
        new Model(wrong as never).validate();
      }).toThrow();
  },
);

describe.each(pods)('the pod of the %s', (_kind, pod) => {
  const [container] = pod.containers;

  it('gives settings that there are, and secrets by files that are mounted', () => {
    const environment = environmentOf(container);
    if ('POSTGRESQL_CONNECTION_URI_FILE' in environment)
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
  const [container] = pod.containers;
  const port = container.ports?.[0];

  it('stop within the time that they get, after the cluster has noticed', () => {
    const { drainDelayMs, shutdownTimeoutMs } = configOf(environmentOf(container));
    expect(drainDelayMs).toBeGreaterThanOrEqual(5000);
    expect((pod.terminationGracePeriodSeconds ?? 30) * 1000).toBeGreaterThan(
      drainDelayMs + shutdownTimeoutMs,
    );
    // A hook's time would be taken from the same grace period.
    expect(container.lifecycle).toBeUndefined();
  });

  it('are restarted by /livez alone, and get requests by /readyz, which answers within 2 s', () => {
    const documented = read('docs/reference/http.md');
    expect([container.livenessProbe?.httpGet.path, container.readinessProbe?.httpGet.path]).toEqual([
      '/livez',
      '/readyz',
    ]);
    for (const probe of [container.livenessProbe, container.readinessProbe]) {
      expect(documented).toContain(`\`GET ${probe?.httpGet.path ?? ''}\``);
      expect(probe?.httpGet.port).toBe(port?.name);
    }
    expect(container.readinessProbe?.timeoutSeconds).toBeGreaterThan(2);
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
    expect(find('ServiceMonitor').selector).toEqual({
      matchLabels: manifests.find(({ kind }) => kind === 'Service')?.metadata.labels,
    });
    expect(find('HorizontalPodAutoscaler').scaleTargetRef?.name).toBe(
      manifests.find(({ kind }) => kind === 'Deployment')?.metadata.name,
    );
    expect(find('PodDisruptionBudget').minAvailable).toBeLessThan(deployment.replicas ?? 1);
  });

  it('have more memory than hashes and imports may take', () => {
    const [, amount = '', unit] = /^(\d+)([MG])i$/.exec(container.resources.limits.memory) ?? [];
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

describe('examples/many-cores', () => {
  const { services } = parse(read('examples/many-cores/compose.yaml')) as {
    services: Readonly<Record<string, { environment: Readonly<Record<string, string | number>> }>>;
  };
  const cores = Object.entries(services).filter(([name]) => name.startsWith('core-'));

  it('has the cores that HAProxy asks, with settings that there are', () => {
    const asked = [...read('examples/many-cores/haproxy.cfg').matchAll(/^ {2}server \S+ (\S+):3567$/gm)];
    expect(cores.map(([name]) => name)).toEqual(asked.map(([, name]) => name));
    for (const [, { environment }] of cores)
      configOf(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)])));
  });

  it('serves on for longer than HAProxy needs to notice a stop', () => {
    const [, interval = ''] = /inter (\d+)ms fall 1/.exec(read('examples/many-cores/haproxy.cfg')) ?? [];
    for (const [, { environment }] of cores)
      expect(Number(environment.DRAIN_DELAY_MS)).toBeGreaterThan(2 * Number(interval));
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
  const service = services.core;
  if (!service) throw new Error('compose.yaml has no core');

  it('gives the core settings that it has, its port, and time to stop', () => {
    const texts = Object.entries(service.environment).map(([name, value]) => [
      name,
      String(value).replace(/^\$\{\w+:-\}$/, ''),
    ]);
    const { drainDelayMs, shutdownTimeoutMs, port } = configOf(Object.fromEntries(texts) as Environment);
    expect(Number.parseInt(service.stop_grace_period, 10) * 1000).toBeGreaterThan(
      drainDelayMs + shutdownTimeoutMs,
    );
    expect(service.ports).toEqual([`127.0.0.1:${port}:${port}`]);
  });
});
