import { say } from './page.ts';
import { missingStep } from './session.ts';

/** @returns what the API answers; undefined where the user is sent elsewhere, or has read why not */
export async function load(path: string): Promise<unknown> {
  const step = await missingStep();
  const answer = step === undefined ? await fetch(path) : undefined;
  if (answer?.ok === true) return answer.json();
  if (answer === undefined || answer.status === 401) location.assign(step ?? '/sign-in');
  else if (answer.status === 403) say('Only admins may see this.');
  else say('The server did not answer as expected. Try again.');
  return undefined;
}
