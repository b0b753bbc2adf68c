/** The forms of every request: the heart's and those of features. */
import { features } from '../../src/features/index.ts';
import {
  type BodyForm,
  bodyForms,
  type QueryForm,
  queryForms,
  type Schemas,
} from '../../src/schema/forms.ts';
import { closedQueries } from '../../src/schema/queries.ts';
import { bodies as bodiesOfHeart, queries as queriesOfHeart } from '../../src/schema/requests.ts';

function joined(heart: Schemas, ofFeatures: readonly Schemas[]): Schemas {
  return Object.fromEntries([heart, ...ofFeatures].flatMap((schemas) => Object.entries(schemas)));
}

export const bodies = joined(
  bodiesOfHeart,
  features.map((feature) => feature.bodies),
);
export const queries = joined(
  queriesOfHeart,
  features.map((feature) => feature.queries),
);

const inBody: Readonly<Record<string, BodyForm>> = bodyForms(bodies);
const inQuery: Readonly<Record<string, QueryForm>> = queryForms(queries, closedQueries);

export function parseBody(name: string, ...parsed: Parameters<BodyForm['parse']>): Record<string, unknown> {
  const form = inBody[name];
  if (form === undefined) throw new Error(`no body is called ${name}`);
  return form.parse(...parsed) as Record<string, unknown>;
}

export function parseQuery(name: string, text: string): Record<string, unknown> {
  const form = inQuery[name];
  if (form === undefined) throw new Error(`no query is called ${name}`);
  return form.parse(text) as Record<string, unknown>;
}
