/** The role that the core connects as: owns its database and is not a superuser. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import { runAsSuperuser } from './single-user.ts';
import type { SingleUser } from './single-user.ts';

export const ROLE = 'carryover';
export const DATABASE = 'carryover';
/** Made by initdb. It has no password and pg_hba.conf rejects it, so it cannot log in to a server. */
export const SUPERUSER = 'postgres';

/** Admits every role but the superuser by password. */
const admission = `local all ${SUPERUSER} reject\nlocal all all scram-sha-256\n`;

/** In clusters of development versions the role was the superuser. */
const admissionOfSuperuser = 'local all all scram-sha-256\n';

/** @throws StartupError for the cluster of a development version */
export async function isAdmitted(cluster: string): Promise<boolean> {
  const text = await readFile(path.join(cluster, 'pg_hba.conf'), 'utf8').catch(unlessCode('ENOENT'));
  if (text === admissionOfSuperuser)
    throw new StartupError(
      `${cluster} was made by a development version of carryover, before 0.1.0: export its users with that version, set another DATA_DIR, and import them; or start that version`,
    );
  return text === admission;
}

/** In place: the file belongs to the user that runs the server. */
export function admitRole(cluster: string): Promise<void> {
  return writeFile(path.join(cluster, 'pg_hba.conf'), admission, { flush: true });
}

export function setPassword(password: string): string {
  return `ALTER ROLE ${ROLE} PASSWORD '${password.replaceAll("'", "''")}'`;
}

/**
 * Sets a new password and admits the role, if either was lost. Idempotent. No server may run.
 * @throws StartupError with the complaint of PostgreSQL
 */
export async function restoreRole(cluster: Omit<SingleUser, 'database'>, password: string): Promise<void> {
  await runAsSuperuser({ ...cluster, database: DATABASE }, [setPassword(password)]);
  await admitRole(cluster.cluster);
}
