/** Requirements of tests in addition to npm's packages: without them tests are left out, and a run reports it at its end. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { hasMariadb } from './mariadb.ts';
import { hasPgBouncer } from './pgbouncer.ts';
import { hasPhp } from './php.ts';
import { hasHaproxy, hasNginx } from './proxies.ts';
import { hasDjango, hasPymerkle } from './python.ts';
import { hasSlapd } from './slapd.ts';

interface Need {
  /** The tests that need it. */
  readonly what: string;
  /** Debian's names; .ci/run installs all of them. */
  readonly debian: string;
  readonly isThere: boolean;
}

const runs = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

export const hasNssWrapper = globSync('/usr/lib/{,*/}libnss_wrapper.so').length > 0;

export const needs: readonly Need[] = [
  { what: 'MySQL', debian: 'mariadb-server', isThere: hasMariadb },
  { what: 'LDAP', debian: 'slapd', isThere: hasSlapd },
  { what: 'PgBouncer', debian: 'pgbouncer', isThere: hasPgBouncer },
  { what: 'browsers', debian: 'chromium', isThere: existsSync('/usr/bin/chromium') },
  { what: 'PHP', debian: 'php-cli', isThere: hasPhp },
  { what: 'Django', debian: 'python3-django python3-argon2 python3-bcrypt', isThere: hasDjango },
  { what: 'nginx', debian: 'nginx', isThere: hasNginx },
  { what: 'HAProxy', debian: 'haproxy', isThere: hasHaproxy },
  { what: 'users without a name', debian: 'libnss-wrapper', isThere: hasNssWrapper },
  { what: 'xz', debian: 'xz-utils', isThere: runs('xz') },
  { what: 'zip', debian: 'zip', isThere: runs('zip') },
];

/** What .ci/run installs from PyPI, which may be out of reach where Debian's mirrors are not. */
const further = {
  isThere: hasPymerkle,
  line: 'Left out: the tests of receipts by libraries of Python. To have them: pip install securesystemslib[crypto] pymerkle, and RECEIPT_PYTHON=<its python>',
};

/** @returns one line about what is left out and how to install it; undefined if everything is present */
export function leftOut(all: readonly Need[] = needs): string | undefined {
  const missing = all.filter(({ isThere }) => !isThere);
  if (missing.length === 0) return undefined;
  const names = missing.map(({ what }) => what).join(', ');
  return `Left out: the tests of ${names}. To have them: apt-get install ${missing.map(({ debian }) => debian).join(' ')}`;
}

/** @throws Error in CI, where a test that is left out would be mistaken for one that passes */
export function requireAll(environment: NodeJS.ProcessEnv, all: readonly Need[] = needs): string | undefined {
  const line = leftOut(all);
  if (line !== undefined && environment.CI === 'true')
    throw new Error(`CI=true, and not all can be tested. ${line}`);
  return all === needs && !further.isThere ? [line ?? [], further.line].flat().join('\n') : line;
}
