import { Refusal } from '../domain/errors.ts';

/** For a statement that waited longer than `wait_limit_ms` and was not sent. */
export function databaseIsLate(): Refusal {
  return new Refusal('OVERLOADED', 'The database takes too long to answer: try again later');
}
