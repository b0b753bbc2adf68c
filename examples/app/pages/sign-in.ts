import * as EmailPassword from 'supertokens-web-js/recipe/emailpassword';
import * as ThirdParty from 'supertokens-web-js/recipe/thirdparty';
import { field, onSubmit, say } from './page.ts';
import { goOn, initSession, missingStep } from './session.ts';

/** The meaning of a refusal for the user. A wrong password and an unknown email have the same answer. */
const refusals: Readonly<Record<string, string>> = {
  WRONG_CREDENTIALS_ERROR: 'The email or the password is wrong.',
  FIELD_ERROR: 'This is not an email.',
  SIGN_IN_NOT_ALLOWED: 'This account cannot sign in now. Ask the support.',
};

initSession();
onSubmit('sign-in', async (form) => {
  const formFields = ['email', 'password'].map((id) => ({ id, value: field(form, id) }));
  const { status } = await EmailPassword.signIn({ formFields, shouldTryLinkingWithSessionUser: false });
  if (status === 'OK') return goOn();
  say(refusals[status] ?? 'The sign-in was refused.');
});
onSubmit('social', async () => {
  const address = await ThirdParty.getAuthorisationURLWithQueryParamsAndSetState({
    thirdPartyId: 'example-id',
    frontendRedirectURI: `${location.origin}/callback`,
    shouldTryLinkingWithSessionUser: false,
  });
  location.assign(address);
});
// A user who is signed in already is not asked again.
if ((await missingStep()) !== '/sign-in') await goOn();
