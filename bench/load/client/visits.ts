import { emailOf, externalIdOf, someHash } from '../people.ts';
import type { Traffic } from './job.ts';

/** One request of a visit. */
export interface Step {
  readonly path: string;
  /** @param n which visit @param before what the step before was answered */
  body(n: number, before: string): string;
  /** Whether the next step needs to read this one's answer. */
  readonly isRead?: boolean;
  /** Whether all visits say the same: then it is written once. */
  readonly isSame?: boolean;
}

export interface Visits {
  readonly steps: readonly [Step, ...Step[]];
  /** What became of one request. */
  outcomeOf(status: number, body: string): string;
}

export function visitsOf(traffic: Traffic): Visits {
  switch (traffic.kind) {
    case 'import':
      return { steps: [importStep(traffic.tag)], outcomeOf: statusWord };
    case 'sign-in':
      return { steps: [signInStep(traffic)], outcomeOf: statusWord };
    case 'verify-email':
      return { steps: [tokenStep(traffic), redeemStep], outcomeOf: statusWord };
    case 'fixed':
      return {
        steps: [{ path: traffic.path, body: () => traffic.body, isSame: true }],
        outcomeOf: (status) => (status === traffic.expected ? 'OK' : String(status)),
      };
  }
}

function importStep(tag: string): Step {
  return {
    path: '/recipe/user/passwordhash/import',
    body: (n) => `{"email":"user${n}-${tag}@example.com","passwordHash":"${someHash}"}`,
  };
}

function signInStep({ from, people, password }: Traffic & { kind: 'sign-in' }): Step {
  return {
    path: '/recipe/signin',
    body: (n) => JSON.stringify({ email: emailOf(from + (n % people)), password }),
  };
}

function tokenStep({ from, people }: Traffic & { kind: 'verify-email' }): Step {
  return {
    path: '/recipe/user/email/verify/token',
    body: (n) => {
      const person = from + (n % people);
      return JSON.stringify({ userId: externalIdOf(person), email: emailOf(person) });
    },
    isRead: true,
  };
}

const redeemStep: Step = {
  path: '/recipe/user/email/verify',
  body: (_, before) => {
    const { token } = JSON.parse(before) as { token?: string };
    return JSON.stringify({ method: 'token', token });
  },
};

/** The word of an answer that came; the domain says no with 200. */
function statusWord(status: number, body: string): string {
  if (status !== 200) return String(status);
  return /"status":"([A-Z_]+)"/.exec(body)?.[1] ?? 'no status';
}
