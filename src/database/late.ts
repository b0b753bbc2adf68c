import { Refusal } from '../domain/errors.ts';

/** For what waited for the database longer than `wait_limit_ms`, and was not sent. */
export function databaseIsLate(): Refusal {
  return new Refusal('OVERLOADED', 'The database takes too long to answer: try again later');
}
