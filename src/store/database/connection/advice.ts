import { reasonOf } from '../../../process/log.ts';
import { StartupError } from '../../../process/startup-error.ts';
import { type ConnectionFault, connectionFaultOf } from '../sqlstate.ts';

const cures: Readonly<Record<ConnectionFault, string>> = {
  'maybe wants TLS':
    "If the server wants TLS, add 'sslmode=verify-full' to 'postgresql_connection_uri'; else let this host in by its pg_hba.conf",
  'maybe has no TLS':
    "If the server has no TLS and the network is your own, set 'sslmode=disable' in 'postgresql_connection_uri'",
  untrusted:
    "Give the certificate of its authority by 'sslrootcert=/path/ca.pem' in 'postgresql_connection_uri'",
  'pooler without settings':
    'A pooler is in between that has to be told of the core\'s settings: give the address of PostgreSQL itself, or see "PgBouncer" in docs/operate/postgres.md',
  'other name':
    "Use the name that its certificate has in 'postgresql_connection_uri', or 'sslmode=verify-ca'",
};

/** How to cure a connection that did not come about, where its error tells: a sentence without its full stop. */
export function adviceOn(error: unknown): string | undefined {
  const fault = connectionFaultOf(error);
  return fault && cures[fault];
}

/** A wrong password or a missing right: one line, for the person who wrote the connection URI. */
export function unusable(error: unknown): Error {
  if (error instanceof StartupError) return error;
  const advice = adviceOn(error) ?? "Check 'postgresql_connection_uri' and the rights of its user";
  return new StartupError(`The database refuses this core: ${reasonOf(error)}. ${advice}`, { cause: error });
}
