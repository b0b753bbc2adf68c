/** A real OpenLDAP server, if one is installed: an ordinary process, with its data in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { certificate } from './tls-door.ts';

const programs = '/usr/sbin';
const modules = '/usr/lib/ldap';
const schemas = '/etc/ldap/schema';

export const hasSlapd = [`${programs}/slapd`, `${modules}/back_mdb.so`, `${schemas}/core.schema`].every(
  existsSync,
);

export interface Slapd {
  /** Of ldap: and ldaps:, on loopback. */
  readonly port: number;
  readonly safePort: number;
  /** Stops its answers until it is resumed. */
  pause(): void;
  goOn(): void;
  stop(): Promise<void>;
}

export const serviceAccount = { bind_dn: 'cn=carryover,dc=example,dc=com', bind_password: 'service secret' };

function configuration(folder: string): string {
  return `
${['core', 'cosine', 'inetorgperson'].map((name) => `include ${schemas}/${name}.schema`).join('\n')}
# As Active Directory has them.
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4203.666.99.1 NAME 'hasGuid' SUP top AUXILIARY MAY objectGUID )
modulepath ${modules}
moduleload back_mdb
pidfile ${folder}/pid
argsfile ${folder}/args
TLSCACertificateFile ${certificate('ca.pem')}
TLSCertificateFile ${certificate('server.pem')}
TLSCertificateKeyFile ${certificate('server.key')}
# As OpenLDAP warns against: an empty password is let in.
allow bind_anon_dn bind_anon_cred
database mdb
maxsize 10485760
suffix "dc=example,dc=com"
directory ${folder}
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${serviceAccount.bind_dn}" read by * none
`;
}

/** @param entries LDIF below dc=example,dc=com and its ou=people */
export async function startSlapd(entries: string): Promise<Slapd> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'slapd-'));
  const conf = path.join(folder, 'slapd.conf');
  writeFileSync(conf, configuration(folder));
  execFileSync(`${programs}/slapadd`, ['-f', conf, '-q'], { input: `${base}\n${entries}`, timeout: 30_000 });
  const [port, safePort] = [await freePort(), await freePort()];
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${safePort}`;
  const child = spawn(`${programs}/slapd`, ['-h', urls, '-f', conf, '-d', 'stats'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await listening(child);
  for (const each of [port, safePort]) await takesConnections(each);
  return {
    port,
    safePort,
    pause: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const base = `dn: dc=example,dc=com
objectClass: domain
dc: example

dn: ou=people,dc=example,dc=com
objectClass: organizationalUnit
ou: people

dn: ${serviceAccount.bind_dn}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: carryover
userPassword: ${serviceAccount.bind_password}
`;

/** Waits for its own message; its other output is read too, so that it never blocks. */
async function listening(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  if (child.stderr === null) throw new Error('no output of slapd');
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (said.length < 50) said.push(line);
    if (line.includes('slapd starting')) resolve(undefined);
  });
  child.once('error', reject);
  child.once('exit', () => {
    reject(new Error(`slapd ended: ${said.join('\n')}`));
  });
  await promise;
}

/** Its message precedes the listening. */
async function takesConnections(port: number): Promise<void> {
  for (let left = 500; ; left -= 1) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch (error) {
      if (left === 0) throw error;
      await delay(10);
    } finally {
      socket.destroy();
    }
  }
}
