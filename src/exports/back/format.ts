/** The contract of the files that an old system imports. */
import type { BackPerson } from './person.ts';

/** Why a user is in no file of users. */
export type LeftOut =
  /** The system needs an email, and the user has none. */
  | 'NO_EMAIL'
  /** Its import takes each email for verified, which this one is not. */
  | 'EMAIL_NOT_VERIFIED'
  /** The account is of a provider such as Google, and comes back by a sign-in there. */
  | 'NOT_OF_THE_DATABASE'
  /** It is one user with another one here, who is in the files. */
  | 'LINKED';

export type Written =
  | { readonly leftOut: LeftOut }
  | {
      readonly user: object;
      /** Whether the user can sign in there with the password of here. */
      readonly takesPassword: boolean;
      /** Files of users are separate by it: one call of an import has one kind of hash. */
      readonly group?: string;
      /** How the system finds the user, if it does not take the id; for later changes. */
      readonly knownAs?: string;
    };

export interface BackFormat {
  /** The provider's. */
  readonly name: string;
  /** Whether users that the system has are replaced by its import; else it makes new ones only. */
  readonly replaces: boolean;
  readonly document: {
    readonly extension: 'json' | 'csv' | 'ndjson';
    readonly begin: string;
    readonly between: string;
    readonly end: string;
  };
  /** Of one file; further users are in further files. */
  readonly most?: { readonly users?: number; readonly bytes?: number };
  /** @returns the user in the system's own words */
  readonly write: (person: BackPerson) => Written;
  /** Default: JSON on one line. */
  readonly lineOf?: (user: object) => string;
}

/** A JSON array of the users, within an object or alone. */
export function jsonDocument(begin: string, end: string): BackFormat['document'] {
  return { extension: 'json', begin: `${begin}\n`, between: ',\n', end: `\n${end}\n` };
}
