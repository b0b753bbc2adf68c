/** Debian's PostgreSQL, shared by a sweep; each environment gets a separate database. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';

export interface ExternalPostgresql {
  /** @returns the URI of a new, empty database by this name */
  create(name: string): string;
  drop(name: string): void;
  stop(): void;
}

/** @throws Error if Debian's postgresql-15 is not installed, or this user is not root */
export function startExternalPostgresql(port: number): ExternalPostgresql {
  const bin = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync('/var/tmp/carryover-hosting-');
  chmodSync(folder, 0o777);
  const data = path.join(folder, 'data');
  const asPostgres = (program: string, ...args: string[]): void => {
    execFileSync(
      'setpriv',
      ['--reuid=postgres', '--regid=postgres', '--clear-groups', path.join(bin, program), ...args],
      {
        cwd: '/',
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
  };
  asPostgres('initdb', '--pgdata', data, '--auth', 'trust', '--encoding', 'UTF8');
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  asPostgres(
    'pg_ctl',
    '--pgdata',
    data,
    '--log',
    path.join(folder, 'log'),
    '--wait',
    '--options',
    settings,
    'start',
  );
  const at = ['--host', '127.0.0.1', '--port', String(port)];
  return {
    create: (name) => {
      asPostgres('createdb', ...at, name);
      return `postgresql://postgres@127.0.0.1:${port}/${name}?sslmode=disable`;
    },
    drop: (name) => {
      asPostgres('dropdb', ...at, '--force', name);
    },
    stop: () => {
      asPostgres('pg_ctl', '--pgdata', data, '--mode', 'fast', 'stop');
      rmSync(folder, { recursive: true });
    },
  };
}
