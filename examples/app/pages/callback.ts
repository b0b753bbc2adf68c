import * as ThirdParty from 'supertokens-web-js/recipe/thirdparty';
import { say } from './page.ts';
import { goOn, initSession } from './session.ts';

initSession();
try {
  const { status } = await ThirdParty.signInAndUp();
  if (status === 'OK') await goOn();
  else say('This account cannot sign in by Example ID.');
} catch {
  say('The sign-in by Example ID did not work. Try again.');
}
