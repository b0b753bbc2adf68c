import type { LegacyDialect, LegacySource } from '../../../domain/model.ts';
import type { Dialect } from '../dialect.ts';
import { auth0 } from './auth0.ts';
import { cognito } from './cognito.ts';
import { b2c, entra } from './entra.ts';
import { firebase } from './firebase.ts';
import { fusionauth } from './fusionauth.ts';
import { http } from './http.ts';
import { keycloakMigration } from './keycloak-migration.ts';
import { keycloak } from './keycloak.ts';
import { kratos } from './kratos.ts';
import { ldap } from './ldap.ts';
import { okta } from './okta.ts';

const dialects: Readonly<Record<LegacyDialect, Dialect>> = {
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
  ldap,
  http,
};

export function dialectOf({ speaks }: LegacySource): Dialect {
  return dialects[speaks];
}
