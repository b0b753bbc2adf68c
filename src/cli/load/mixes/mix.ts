import { randomFractions } from '../../../load/random.ts';
import type { Visit } from '../../../load/visit.ts';
import type { Person } from '../people/people.ts';
import { type ActionName, actions, type Visitor } from './actions.ts';
import type { Sessions } from './sessions.ts';

/** What is done, and how often. */
export interface Mix {
  readonly name: string;
  readonly inWords: string;
  /** Parts of all visits, in any unit. */
  readonly shares: Readonly<Partial<Record<ActionName, number>>>;
  /** Users of a file that is imported again and again meanwhile; 0 for none. */
  readonly importing: number;
  /** Whether arrivals rise and fall as on the first morning. */
  readonly isMorning: boolean;
}

export const mixes = [
  {
    name: 'first-morning',
    inWords: 'all users sign in: 8 % mistype first, 2 % have forgotten the password',
    shares: { 'sign-in-with-session': 90, mistype: 8, reset: 2 },
    importing: 0,
    isMorning: true,
  },
  {
    name: 'steady',
    inWords:
      'a usual day: sessions checked 60 %, refreshed 25 %, sign-ins 10 %, the rest look-ups and sign-ups',
    shares: { 'check-session': 60, refresh: 25, 'sign-in-with-session': 10, 'look-up': 4, 'sign-up': 1 },
    importing: 0,
    isMorning: false,
  },
  {
    name: 'import',
    inWords: 'people sign in while a file is imported, again and again',
    shares: { 'sign-in-with-session': 100 },
    importing: 20_000,
    isMorning: false,
  },
  {
    name: 'sign-in',
    inWords: 'passwords alone, as npm run bench -- sign-in measures',
    shares: { 'sign-in': 100 },
    importing: 0,
    isMorning: false,
  },
] as const satisfies readonly Mix[];

const seed = 20_261_127;

/**
 * @param share this machine's part of all visits: those of other machines are of other people, as far as there are enough
 * @returns the visit of a number. People come in turn, so that each comes once before one comes again
 */
export function visitsOf(
  { shares }: Mix,
  people: readonly Person[],
  sessions: Sessions,
  { part, of }: Share,
): () => Visit {
  const random = randomFractions(seed + part);
  const table = Object.entries(shares) as [ActionName, number][];
  const total = table.reduce((sum, [, weight]) => sum + weight, 0);
  let come = part - 1;
  return () => {
    const name = chosen(table, random() * total);
    const n = come;
    come += of;
    const person = visitorOf(people, n);
    return { action: name, run: (ask) => actions[name]({ ask, n, person, sessions }) };
  };
}

/** Of a load that several machines send. */
export interface Share {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

function chosen(table: readonly (readonly [ActionName, number])[], at: number): ActionName {
  let sum = 0;
  for (const [name, weight] of table) {
    sum += weight;
    if (at < sum) return name;
  }
  return table.at(-1)?.[0] ?? 'sign-in';
}

/** @param n any number: after the last person comes the first again @param people not empty */
export function visitorOf(people: readonly Person[], n: number): Visitor {
  const at = n % people.length;
  const person = people[at];
  if (person === undefined) throw new Error('there are no people');
  return { ...person, address: addressOf(at) };
}

/** 198.18.0.0/15 is for measurements of networks (RFC 2544): a person each, as far as there are enough. */
function addressOf(n: number): string {
  return `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}`;
}
