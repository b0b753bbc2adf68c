/** The role that the core connects as: it owns its database and what is in it, and is no superuser. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../process/secret-file.ts';
import { runAsSuperuser } from './single-user.ts';
import type { SingleUser } from './single-user.ts';

export const ROLE = 'carryover';
export const DATABASE = 'carryover';
/** Made by initdb. It has no password, and pg_hba.conf rejects it, so no server lets it in. */
export const SUPERUSER = 'postgres';

/**
 * Admits every role but the superuser by password. It is written when the role is what it should be, so it also records that:
 * a crash before makes the next start do all of it again.
 */
const admission = `local all ${SUPERUSER} reject\nlocal all all scram-sha-256\n`;

export async function isAdmitted(cluster: string): Promise<boolean> {
  const text = await readFile(path.join(cluster, 'pg_hba.conf'), 'utf8').catch(unlessCode('ENOENT'));
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
 * Takes over a cluster whose superuser the role was: that one gets another name and loses its password, and a new role
 * gets the database with all that people have in it. May be repeated. No server may run.
 * @throws StartupError with the complaint of PostgreSQL
 */
export async function takeOver(cluster: Omit<SingleUser, 'database'>, password: string): Promise<void> {
  await runAsSuperuser({ ...cluster, database: DATABASE }, [separateRole, setPassword(password)]);
  await admitRole(cluster.cluster);
}

/** PostgreSQL gives initdb's role this number. */
const superuserOid = 10;

/** What belongs to the superuser in the schemas of people, and is no part of an extension. */
const ownedBySuperuser = (catalog: string, prefix: string): string => `FROM ${catalog} c
      JOIN pg_namespace n ON n.oid = c.${prefix}namespace AND n.nspname !~ '^pg_|^information_schema$'
      WHERE c.${prefix}owner = ${superuserOid} AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** One statement, so that it is done whole or not at all. A role cannot rename itself: for that moment there is another. */
const separateRole = `DO $separate$
DECLARE change text;
BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE oid = ${superuserOid} AND rolname = '${ROLE}') THEN
    CREATE ROLE carryover_renaming SUPERUSER;
    SET LOCAL SESSION AUTHORIZATION carryover_renaming;
    ALTER ROLE ${ROLE} RENAME TO ${SUPERUSER};
    SET LOCAL SESSION AUTHORIZATION ${SUPERUSER};
    DROP ROLE carryover_renaming;
    ALTER ROLE ${SUPERUSER} PASSWORD NULL;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN
    CREATE ROLE ${ROLE} LOGIN;
  END IF;
  ALTER DATABASE ${DATABASE} OWNER TO ${ROLE};
  FOR change IN
    SELECT format('SCHEMA %I', nspname) FROM pg_namespace
      WHERE nspowner = ${superuserOid} AND nspname !~ '^pg_|^information_schema$'
    UNION ALL
    SELECT format('TABLE %s', c.oid::regclass) ${ownedBySuperuser('pg_class', 'rel')}
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND NOT EXISTS ( -- a column's sequence goes with its table
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND c.relkind = 'S'
          AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass)
    UNION ALL
    SELECT format('ROUTINE %s', c.oid::regprocedure) ${ownedBySuperuser('pg_proc', 'pro')}
    UNION ALL
    SELECT format('TYPE %s', c.oid::regtype) ${ownedBySuperuser('pg_type', 'typ')}
      AND c.typtype IN ('e', 'd')
  LOOP
    EXECUTE 'ALTER ' || change || ' OWNER TO ${ROLE}';
  END LOOP;
END $separate$`;
