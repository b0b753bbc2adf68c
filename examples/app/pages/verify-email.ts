import * as EmailVerification from 'supertokens-web-js/recipe/emailverification';
import { element, onSubmit, say } from './page.ts';
import { goOn, initSession, missingStep, signOut } from './session.ts';

initSession();
/** A click, because programs that look into mails open links too. */
onSubmit('verify', async () => {
  const { status } = await EmailVerification.verifyEmail();
  if (status === 'OK') return goOn();
  say('This link is too old, or was used. Sign in to get another.');
});
onSubmit('send', send);
onSubmit('sign-out', signOut);

async function send(): Promise<void> {
  const { status } = await EmailVerification.sendVerificationEmail();
  if (status === 'EMAIL_ALREADY_VERIFIED_ERROR') return goOn();
  say('We have sent you a mail.');
}

async function begin(): Promise<void> {
  const hasToken = EmailVerification.getEmailVerificationTokenFromURL() !== '';
  for (const id of hasToken ? ['verify'] : ['send', 'sign-out']) element(id, HTMLElement).hidden = false;
  if (hasToken) return;
  if ((await missingStep()) === '/auth/verify-email') await send();
  else await goOn();
}

await begin();
