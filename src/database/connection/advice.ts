import { reasonOf } from '../../process/log.ts';
import { StartupError } from '../../process/startup-error.ts';
import { codeOf, type ConnectionFault, connectionFaultOf, readOnly } from '../sqlstate.ts';
import { wrongKind } from './finder.ts';
import { closedAtOnce } from './sockets.ts';

const cures: Readonly<Record<ConnectionFault, string>> = {
  'maybe wants TLS':
    "If the server wants TLS, add 'sslmode=verify-full' to 'postgresql_connection_uri'; else let this host in by its pg_hba.conf",
  'maybe has no TLS':
    "If the server has no TLS and the network is your own, set 'sslmode=disable' in 'postgresql_connection_uri'",
  untrusted:
    "Give the certificate of its authority by 'sslrootcert=/path/ca.pem' in 'postgresql_connection_uri'",
  'pooler without settings':
    'A pooler in between has to be configured for the core\'s settings: give the address of PostgreSQL itself, or see "PgBouncer" in docs/operate/postgres.md',
  'other name':
    "Use the name that its certificate has in 'postgresql_connection_uri', or 'sslmode=verify-ca'",
};

/** The cure for a failed connection, if the error shows it: a sentence without its full stop. */
export function adviceOn(error: unknown): string | undefined {
  const fault = connectionFaultOf(error);
  return fault && cures[fault];
}

const onStart: Readonly<Record<string, string>> = {
  ENOTFOUND: "No server of this name is known here: check the host in 'postgresql_connection_uri'",
  EAI_AGAIN:
    "The name could not be looked up: check the host in 'postgresql_connection_uri', and the name server of this machine",
  ECONNREFUSED:
    "No PostgreSQL listens there: check host and port in 'postgresql_connection_uri', and its listen_addresses",
  ENOENT:
    "No PostgreSQL has a socket there: check folder and port in 'postgresql_connection_uri', and that the folder is seen from here",
  CONNECT_TIMEOUT:
    "Nothing answers there: check host and port in 'postgresql_connection_uri', and the firewall",
  [closedAtOnce]:
    'A proxy or pooler accepts connections there without a PostgreSQL behind it: see its log, and that PostgreSQL runs',
  '53300':
    'All its connections are taken: raise its max_connections, or lower postgresql_connection_pool_size',
  '57P03': 'It is starting, stopping or recovering: wait, or look into its log',
  [readOnly]:
    "It is a standby, or its role or database is read-only: give the primary's address in 'postgresql_connection_uri', or all of them with 'target_session_attrs=read-write'",
  [wrongKind]:
    "Give the primary's address in 'postgresql_connection_uri', and look into why no server there takes writes",
};

/** As `adviceOn`, or what to check if the database was never reached. */
export function adviceOnStart(error: unknown): string {
  const usual = "Check 'postgresql_connection_uri', and whether the server can be reached from here";
  return adviceOn(error) ?? onStart[codeOf(error)] ?? usual;
}

export function unusable(error: unknown): Error {
  if (error instanceof StartupError) return error;
  const advice = adviceOn(error) ?? "Check 'postgresql_connection_uri' and the rights of its user";
  return new StartupError(`The database refuses this core: ${reasonOf(error)}. ${advice}`, { cause: error });
}
