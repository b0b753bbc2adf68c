import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** Unknown fields are dropped while normalising, so the types need not leave room for them. */
type Closed<S> = S extends { readonly properties: infer P }
  ? Omit<S, 'properties'> & {
      readonly properties: { readonly [K in keyof P]: Closed<P[K]> };
      readonly additionalProperties: false;
    }
  : S;

/** What a schema lets through. */
export type InputOf<S> = Closed<S> extends infer C extends JSONSchema ? FromSchema<C> : never;
