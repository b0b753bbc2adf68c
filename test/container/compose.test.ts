/** The permissions of compose.yaml's containers. They are run by hand, on a machine with a Docker engine: see check.sh. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly privileged?: boolean;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly secrets?: readonly string[];
}

const file = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
const { services, secrets } = parse(file) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file?: string }>>;
};
const get = (name: string): Service => {
  const service = services[name];
  if (!service) throw new Error(`compose.yaml has no service ${name}`);
  return service;
};

/** Enough to create the data folder and to switch the user: the image's start script does both as root. */
const rightsOfTheStartScript = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];

describe.each(Object.entries(services))('%s', (name, service) => {
  it('cannot write to its image, take a right back or get a new one', () => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.cap_add ?? []).toEqual(name === 'database' ? rightsOfTheStartScript : []);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.privileged).toBeUndefined();
  });

  it('has a bound of memory and of processes', () => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
  });

  it('is reached from this machine only', () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

it('the core and the database have a /tmp that goes with them, the command one on the disk', () => {
  expect(get('core').tmpfs).toContain('/tmp');
  expect(get('database').tmpfs).toEqual(expect.arrayContaining(['/tmp', '/var/run/postgresql']));
  expect(get('carryover').volumes).toContain('/tmp');
});

describe('secrets', () => {
  it('come from files, each into the containers that use it', () => {
    for (const secret of Object.values(secrets)) expect(secret.file).toMatch(/secrets\/[a-z-]+\}?$/);
    expect(get('core').secrets).toEqual(['api-keys', 'encryption-keys', 'database-uri']);
    expect(get('database').secrets).toEqual(['database-superuser', 'database-core']);
    expect(get('carryover').secrets).toEqual(['api-key']);
    expect(readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8')).toMatch(/^\/secrets\/$/m);
  });

  it.each(Object.entries(services))(
    'are in no variable of %s but as the path of a file',
    (_name, service) => {
      const secretive = Object.entries(service.environment ?? {}).filter(([name]) =>
        /_KEY|PASSWORD|URI/.test(name.replace('PROVIDER_PASSWORD_HASHING_SIGNER_KEY', '')),
      );
      expect(secretive.length).toBeGreaterThan(0);
      const known = (service.secrets ?? []).map((secret) => `/run/secrets/${secret}`);
      for (const [name, value] of secretive) {
        expect(name).toMatch(/_FILE$/);
        expect(known).toContain(value);
      }
    },
  );

  it('give the core a role that the script of a new cluster makes, not the superuser', () => {
    expect(get('database').environment).not.toHaveProperty('POSTGRES_USER');
    expect(get('database').volumes?.[0]).toBe(
      './container/create-role.sh:/docker-entrypoint-initdb.d/create-role.sh:ro',
    );
    expect(file).toContain('"postgresql://carryover:$(cat secrets/database-core)@database:5432/carryover?');
  });
});
