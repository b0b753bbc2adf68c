/** Every system whose database can be read, by the name of its provider. */

import { authjsSource } from './frameworks/authjs.ts';
import { betterAuthSource } from './frameworks/better-auth.ts';
import { deviseSource } from './frameworks/devise.ts';
import { djangoSource } from './frameworks/django.ts';
import { laravelSource } from './frameworks/laravel.ts';
import { wordpressSource } from './frameworks/wordpress.ts';
import { keycloakSource } from './servers/keycloak.ts';
import { kratosSource } from './servers/kratos.ts';
import { logtoSource } from './servers/logto.ts';
import { supabaseSource } from './servers/supabase.ts';
import { supertokensSource } from './servers/supertokens.ts';
import type { Source } from './source.ts';

/** In the order of their names. */
export const sources: readonly Source[] = [
  authjsSource,
  betterAuthSource,
  deviseSource,
  djangoSource,
  keycloakSource,
  kratosSource,
  laravelSource,
  logtoSource,
  supabaseSource,
  supertokensSource,
  wordpressSource,
];

export function findSource(name: string): Source | undefined {
  return sources.find(({ provider }) => provider === name.trim().toLowerCase());
}
