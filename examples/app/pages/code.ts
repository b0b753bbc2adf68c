import * as Totp from 'supertokens-web-js/recipe/totp';
import { field, onSubmit, say } from './page.ts';
import { goOn, initSession, missingStep, signOut } from './session.ts';

initSession();
onSubmit('code', async (form) => {
  const answer = await Totp.verifyCode({ totp: field(form, 'totp') });
  if (answer.status === 'OK') return goOn();
  say(
    answer.status === 'LIMIT_REACHED_ERROR'
      ? `Too many wrong codes. Wait ${Math.ceil(answer.retryAfterMs / 60_000)} minutes.`
      : 'This code is wrong, or was used before.',
  );
});
onSubmit('sign-out', signOut);
if ((await missingStep()) !== '/code') await goOn();
