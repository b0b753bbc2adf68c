import { emailOf, externalIdOf, someHash } from '../../../src/load/made-up.ts';
import { sessionBody, verifyBody, refreshBody } from '../../../src/load/session-bodies.ts';
import { type Answered, type Ask, statusWord, type Visit } from '../../../src/load/visit.ts';
import type { Traffic } from './job.ts';

/** One request of a visit. */
export interface Step {
  readonly path: string;
  /** POST when left out. A GET has no body. */
  readonly method?: 'GET';
  /** @param n the number of the visit @param before the answer to the previous step */
  body(n: number, before: string): string;
  /** Whether the next step needs to read this one's answer. */
  readonly isRead?: boolean;
  /** Whether all visits send the same body: then it is built once. */
  readonly isSame?: boolean;
}

export interface Visits {
  readonly steps: readonly [Step, ...Step[]];
  /** The outcome of one request. */
  readonly outcomeOf: (answer: Answered) => string;
}

/** The same for an open loop. @param n the number of the visit */
export function openVisit({ steps, outcomeOf }: Visits, n: number): Visit {
  const run = async (ask: Ask): Promise<string> => {
    let before = '{}';
    for (const step of steps) {
      const answer = await ask({ path: step.path, body: step.body(n, before) });
      const outcome = outcomeOf(answer);
      if (outcome !== 'OK') return outcome;
      before = answer.body;
    }
    return 'OK';
  };
  return { action: '', run };
}

export function visitsOf(traffic: Traffic): Visits {
  switch (traffic.kind) {
    case 'import':
      return { steps: [importStep(traffic.tag)], outcomeOf: statusWord };
    case 'sign-in':
      return { steps: [signInStep(traffic)], outcomeOf: statusWord };
    case 'verify-email':
      return { steps: [tokenStep(traffic), redeemStep], outcomeOf: statusWord };
    case 'posts':
      return { steps: [postStep(traffic)], outcomeOf: statusWord };
    case 'refresh-and-use':
      return { steps: [refreshStep(traffic), useStep], outcomeOf: statusWord };
    case 'sign-in-with-session':
      return {
        steps: [{ ...signInStep({ ...traffic, kind: 'sign-in' }), isRead: true }, sessionStep],
        outcomeOf: statusWord,
      };
    case 'get':
      return {
        steps: [{ path: traffic.path, method: 'GET', body: () => '', isSame: true }],
        outcomeOf: ({ status }) => (status === 200 ? 'OK' : String(status)),
      };
    case 'fixed':
      return {
        steps: [{ path: traffic.path, body: () => traffic.body, isSame: true }],
        outcomeOf: ({ status }) => (status === traffic.expected ? 'OK' : String(status)),
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

function postStep({ path, bodies }: Traffic & { kind: 'posts' }): Step {
  return { path, body: (n) => bodies[n % bodies.length] ?? '' };
}

function refreshStep({ tokens }: Traffic & { kind: 'refresh-and-use' }): Step {
  return {
    path: '/recipe/session/refresh',
    body: (n) => refreshBody(tokens[n % tokens.length] ?? ''),
    isRead: true,
  };
}

const useStep: Step = {
  path: '/recipe/session/verify',
  body: (_, before) => {
    const { accessToken } = JSON.parse(before) as { accessToken?: { token: string } };
    return verifyBody(accessToken?.token ?? '', false);
  },
};

const sessionStep: Step = {
  path: '/recipe/session',
  body: (_, before) => {
    const { user } = JSON.parse(before) as { user?: { id: string } };
    return sessionBody(user?.id ?? '');
  },
};
