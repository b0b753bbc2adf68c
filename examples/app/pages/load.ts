import { say } from './page.ts';
import { missingStep } from './session.ts';

/** @returns the API's answer; undefined if the user was redirected, or was shown the error */
export async function load(path: string): Promise<unknown> {
  const step = await missingStep();
  const answer = step === undefined ? await fetch(path) : undefined;
  if (answer?.ok === true) return answer.json();
  if (answer === undefined || answer.status === 401) location.assign(step ?? '/sign-in');
  else if (answer.status === 403) say('Only admins may see this.');
  else say('The server did not answer as expected. Try again.');
  return undefined;
}
