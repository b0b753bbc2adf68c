/** Files that old systems import, for the way back. */
import { auth0Back } from './auth0.ts';
import { clerkBack } from './clerk.ts';
import { cognitoBack } from './cognito.ts';
import { firebaseBack } from './firebase.ts';
import type { BackFormat } from './format.ts';
import { fusionauthBack } from './fusionauth.ts';
import { keycloakBack } from './keycloak.ts';
import { supertokensBack } from './supertokens.ts';

export const backFormats: readonly BackFormat[] = [
  auth0Back,
  clerkBack,
  cognitoBack,
  firebaseBack,
  fusionauthBack,
  keycloakBack,
  supertokensBack,
];

export function findBackFormat(name: string): BackFormat | undefined {
  return backFormats.find((format) => format.name === name);
}
