/** Every export format, by name: the one list that the command and the threads read. */

import { aspnetIdentity } from './frameworks/aspnet-identity.ts';
import { auth0 } from './hosted/auth0.ts';
import { authjs } from './frameworks/authjs.ts';
import { azureB2c } from './hosted/azure-b2c.ts';
import { betterAuth } from './frameworks/better-auth.ts';
import { clerk } from './hosted/clerk.ts';
import { cognito } from './hosted/cognito.ts';
import { devise } from './frameworks/devise.ts';
import { django } from './frameworks/django.ts';
import { firebase } from './hosted/firebase.ts';
import { fusionauth } from './servers/fusionauth.ts';
import { hanko } from './hosted/hanko.ts';
import { keycloak } from './servers/keycloak.ts';
import { kratos } from './servers/kratos.ts';
import { laravel } from './frameworks/laravel.ts';
import { logto } from './servers/logto.ts';
import { native } from './servers/native.ts';
import { okta } from './hosted/okta.ts';
import type { Provider } from './provider.ts';
import { spring } from './frameworks/spring.ts';
import { stytch } from './hosted/stytch.ts';
import { supabase } from './servers/supabase.ts';
import { supertokens } from './servers/supertokens.ts';
import { wordpress } from './frameworks/wordpress.ts';
import { workos } from './hosted/workos.ts';

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

/** The provider with this name, in any case. */
export function findProvider(name: string): Provider | undefined {
  return byName.get(name.toLowerCase());
}

/** As findProvider, for a name that was checked. */
export function requireProvider(name: string): Provider {
  const provider = findProvider(name);
  if (provider === undefined) throw new Error(`there is no provider ${name}`);
  return provider;
}
