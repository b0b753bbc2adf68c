import { codeOf } from './sqlstate.ts';

/** What OpenSSL calls a certificate whose authority is not among those that are trusted. */
const untrusted: ReadonlySet<string> = new Set([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** How to cure a connection that did not come about, where its error tells: a sentence without its full stop. */
export function adviceOn(error: unknown): string | undefined {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  // invalid_authorization_specification
  if (code === '28000' && message.endsWith('no encryption'))
    return "If the server wants TLS, add 'sslmode=verify-full' to 'postgresql_connection_uri'; else let this host in by its pg_hba.conf";
  if (untrusted.has(code))
    return "Give the certificate of its authority by 'sslrootcert=/path/ca.pem' in 'postgresql_connection_uri'";
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "Use the name that its certificate has in 'postgresql_connection_uri', or 'sslmode=verify-ca'";
  if (code === 'ECONNRESET' && message.includes('before secure TLS connection'))
    return "If the server has no TLS, leave 'sslmode' out of 'postgresql_connection_uri'";
  return undefined;
}
