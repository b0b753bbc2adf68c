import type { Tenant } from '../../domain/model.ts';
import type { Operations } from '../../operations/operations.ts';
import type { BodyForm } from '../../schema/forms.ts';
import type { FormerWants, Route } from '../routing/route.ts';
import type { Fields } from './fields.ts';

/** What an answer belongs to: the validated input, and the tenant of the path. */
export interface AnsweredRequest {
  readonly input: Fields;
  /** Undefined where the route is served for a tenant that does not exist. */
  readonly tenant: Tenant | undefined;
}

/** How one route differed before a version. All functions are pure. */
export interface RouteChange {
  /** Fields of the body that had another name: by the present name the former one. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Makes the body as the next version has it. @throws Refusal INVALID_FIELD */
  readonly request?: (body: Fields) => Fields;
  /** The schema for the body, in place of the route's own: the handler has to take what it lets through. */
  readonly body?: BodyForm;
  /** What the operation does in another way. */
  readonly wants?: FormerWants;
  /** Judges the tenant of the path before the operation runs. @throws Refusal */
  readonly guard?: (tenant: Tenant) => void;
  /** Makes the answer as the version before had it. @throws Refusal for a status that clients of that version do not know */
  readonly answer?: (answer: Fields, request: AnsweredRequest) => Fields;
}

/** What a version of the interface changed, seen from behind: how requests of older versions are served. */
export interface VersionStep {
  /** The version that brought the changes. */
  readonly until: string;
  /** The versions before it that this step serves, down to the next older step. */
  readonly versions: readonly string[];
  /** By method and path. */
  readonly changes: Readonly<Record<string, RouteChange>>;
  /** A change of every route. */
  readonly everyRoute?: (route: Route) => Route;
  /** Routes that ended with `until`, or stand for the present ones of the same method and path. */
  readonly routes?: (operations: Operations) => readonly Route[];
}
