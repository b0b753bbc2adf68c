import type { CoreProcess } from './processes.ts';
import type { Kind, Mix } from './sign-in/mix.ts';

/** Who is guessed at: people by the kind of their hash, people of a third party, who may not sign in, and nobody. */
export const groups = ['unknown', 'social', 'disabled', 'bcrypt', 'argon2id', 'scrypt variant'] as const;
export type Group = (typeof groups)[number];
export const knownGroups: readonly Kind[] = ['bcrypt', 'argon2id', 'scrypt variant'];

/**
 * Of each group but nobody's. With so many the shares of the kinds among neighbours, which decoys are drawn from, are
 * within a third of a point (0.3 %) of a third; with 300 they are off by more than one and a half.
 */
const peopleOfEach = 3000;

/** Past the last person it begins again; emails of nobody are never the same. */
export function emailOf(group: Group, n: number): string {
  if (group === 'unknown') return `nobody-${n}@no.where`;
  return `${group.replace(' ', '-')}-${n % peopleOfEach}@signs.in`;
}

/** Imports everybody but nobody, as one file of native records. @throws Error when not each of them is new */
export async function importGroups({ url, apiKey }: CoreProcess, mix: Mix): Promise<void> {
  const records = Array.from({ length: peopleOfEach }, (_, n) => [
    { loginMethods: [socialMethod(n)] },
    { loginMethods: [disabledMethod(n, mix)], isDisabled: true },
    ...knownGroups.map((kind) => ({ loginMethods: [passwordMethod(kind, n, mix)] })),
  ]).flat();
  const answer = await fetch(`${url}/bulk-import/jobs`, {
    method: 'POST',
    headers: { 'api-key': apiKey, 'content-type': 'application/x-ndjson' },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });
  const { job, ...rest } = (await answer.json()) as { job?: { created: number } };
  if (job?.created !== records.length)
    throw new Error(`not all were imported: ${JSON.stringify(job ?? rest)}`);
}

function socialMethod(n: number): object {
  const email = emailOf('social', n);
  return { recipeId: 'thirdparty', email, thirdPartyId: 'google', thirdPartyUserId: `google-${n}` };
}

/** Their kinds are equal thirds, as those of all known are. */
function disabledMethod(n: number, { hashes }: Mix): object {
  const kind = knownGroups[n % knownGroups.length] ?? 'bcrypt';
  return { recipeId: 'emailpassword', email: emailOf('disabled', n), ...hashes[kind] };
}

/** People share the hash of their kind: what it costs to verify is the same. */
function passwordMethod(kind: Kind, n: number, { hashes }: Mix): object {
  return { recipeId: 'emailpassword', email: emailOf(kind, n), ...hashes[kind] };
}
