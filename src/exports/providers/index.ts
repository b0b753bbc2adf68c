/** Every export format, by name: the one list that the command and the threads read. */

import { aspnetIdentity } from './aspnet-identity.ts';
import { auth0 } from './auth0.ts';
import { authjs } from './authjs.ts';
import { azureB2c } from './azure-b2c.ts';
import { betterAuth } from './better-auth.ts';
import { clerk } from './clerk.ts';
import { cognito } from './cognito.ts';
import { devise } from './devise.ts';
import { django } from './django.ts';
import { firebase } from './firebase.ts';
import { fusionauth } from './fusionauth.ts';
import { hanko } from './hanko.ts';
import { keycloak } from './keycloak.ts';
import { kratos } from './kratos.ts';
import { laravel } from './laravel.ts';
import { logto } from './logto.ts';
import { native } from './native.ts';
import { okta } from './okta.ts';
import type { DatabaseProvider, Provider } from './provider.ts';
import { spring } from './spring.ts';
import { stytch } from './stytch.ts';
import { supabase } from './supabase.ts';
import { supertokens } from './supertokens.ts';
import { wordpress } from './wordpress.ts';
import { workos } from './workos.ts';

/** In the order of their names, as --help lists them. */
export const providers: readonly Provider[] = [
  aspnetIdentity,
  auth0,
  authjs,
  azureB2c,
  betterAuth,
  clerk,
  cognito,
  devise,
  django,
  firebase,
  fusionauth,
  hanko,
  keycloak,
  kratos,
  laravel,
  logto,
  native,
  okta,
  spring,
  stytch,
  supabase,
  supertokens,
  wordpress,
  workos,
];

const byName: ReadonlyMap<string, Provider> = new Map(providers.map((each) => [each.name, each]));

/** Those whose users can be read from a database. */
export const databaseProviders: readonly DatabaseProvider[] = providers.filter(
  (each): each is DatabaseProvider => each.database !== undefined,
);

/** The provider with this name, in any case. */
export function findProvider(name: string): Provider | undefined {
  return byName.get(name.toLowerCase());
}

/** The one of them with this name, which was checked. */
export function requireDatabaseProvider(name: string): DatabaseProvider {
  const provider = databaseProviders.find((each) => each.name === name);
  if (provider === undefined) throw new Error(`there is no provider ${name} with a database`);
  return provider;
}

/** As findProvider, for a name that was checked. */
export function requireProvider(name: string): Provider {
  const provider = findProvider(name);
  if (provider === undefined) throw new Error(`there is no provider ${name}`);
  return provider;
}
