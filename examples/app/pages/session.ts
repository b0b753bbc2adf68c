/** The SDK for browsers, and the page for each state of the session. */
import SuperTokens from 'supertokens-web-js';
import * as EmailPassword from 'supertokens-web-js/recipe/emailpassword';
import * as EmailVerification from 'supertokens-web-js/recipe/emailverification';
import * as MultiFactorAuth from 'supertokens-web-js/recipe/multifactorauth';
import * as Session from 'supertokens-web-js/recipe/session';
import * as ThirdParty from 'supertokens-web-js/recipe/thirdparty';
import * as Totp from 'supertokens-web-js/recipe/totp';

/** Called first by each page. From then on `fetch` refreshes an expired session, and repeats the request. */
export function initSession(): void {
  SuperTokens.init({
    appInfo: { appName: 'Example', apiDomain: location.origin },
    recipeList: [
      Session.init(),
      EmailPassword.init(),
      EmailVerification.init(),
      MultiFactorAuth.init(),
      ThirdParty.init(),
      Totp.init(),
    ],
  });
}

/** The missing steps before the session counts, by the name of its claim. */
const pageOfClaim: Readonly<Record<string, string>> = { 'st-ev': '/auth/verify-email', 'st-mfa': '/code' };

/** @returns the page that the user has to visit; undefined if nothing is missing */
export async function missingStep(): Promise<string | undefined> {
  try {
    const [missing] = await Session.validateClaims();
    return missing && pageOfClaim[missing.id];
  } catch (error) {
    // There is no session, or it was ended by a sign-out while its claims were being read.
    if (await Session.doesSessionExist()) throw error;
    return '/sign-in';
  }
}

/** After each step of a sign-in: to the next one, or home. */
export async function goOn(): Promise<void> {
  location.assign((await missingStep()) ?? '/');
}

/** Ends the session in the core and in the browser. */
export async function signOut(): Promise<void> {
  await Session.signOut();
  location.assign('/sign-in');
}
