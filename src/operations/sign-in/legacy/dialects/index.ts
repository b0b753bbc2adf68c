import type { LegacyDialect, LegacySource } from '../../../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import { NoAnswer } from '../dialect.ts';
import { auth0 } from './auth0.ts';
import { cognito } from './cognito.ts';
import { b2c, entra } from './entra.ts';
import { firebase } from './firebase.ts';
import { fusionauth } from './fusionauth.ts';
import { http } from './http.ts';
import { keycloakMigration } from './keycloak-migration.ts';
import { keycloak } from './keycloak.ts';
import { kratos } from './kratos.ts';
import { okta } from './okta.ts';

/** @throws NoAnswer for a dialect that is not spoken over HTTP */
export function dialectOf({ speaks }: LegacySource): Dialect {
  if (speaks === 'ldap') throw new NoAnswer('LDAP is not spoken here');
  return httpDialects[speaks];
}

/** All that are spoken over HTTP. */
export const httpDialects: Readonly<Record<Exclude<LegacyDialect, 'ldap'>, Dialect>> = {
  kratos,
  okta,
  'keycloak-migration': keycloakMigration,
  fusionauth,
  auth0,
  keycloak,
  cognito,
  firebase,
  b2c,
  entra,
  http,
};
