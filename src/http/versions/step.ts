import type { Tenant } from '../../domain/model.ts';
import type { Operations } from '../../operations/operations.ts';
import type { BodyForm } from '../../schema/forms.ts';
import type { FormerWants, Route } from '../routing/route.ts';
import type { Fields } from './fields.ts';

export interface AnsweredRequest {
  readonly input: Fields;
  /** Undefined for a route that accepts an unknown tenant. */
  readonly tenant: Tenant | undefined;
}

/** How one route differed before a version. All functions are pure. */
export interface RouteChange {
  /** Renamed fields of the body: present name to former name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Converts the body to the next version. @throws Refusal INVALID_FIELD */
  readonly request?: (body: Fields) => Fields;
  /** Replaces the route's body schema: the handler must accept its values. */
  readonly body?: BodyForm;
  readonly wants?: FormerWants;
  /** Checks the tenant of the path before the operation runs. @throws Refusal */
  readonly guard?: (tenant: Tenant) => void;
  /** Converts the answer to the version before. @throws Refusal for a status that clients of that version do not know */
  readonly answer?: (answer: Fields, request: AnsweredRequest) => Fields;
}

/** Changes of a version, applied in reverse to serve older ones. */
export interface VersionStep {
  readonly until: string;
  /** Versions that this step serves, down to the next older step. */
  readonly versions: readonly string[];
  /** By method and path. */
  readonly changes: Readonly<Record<string, RouteChange>>;
  readonly everyRoute?: (route: Route) => Route;
  /** Routes that `until` removed, or replaced by ones of the same method and path. */
  readonly routes?: (operations: Operations) => readonly Route[];
}
