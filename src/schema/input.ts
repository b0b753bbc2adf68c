import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** Normalising drops unknown fields, so the types do not allow them. */
type Closed<S> = S extends { readonly properties: infer P }
  ? Omit<S, 'properties'> & {
      readonly properties: { readonly [K in keyof P]: Closed<P[K]> };
      readonly additionalProperties: false;
    }
  : S;

export type InputOf<S> = Closed<S> extends infer C extends JSONSchema ? FromSchema<C> : never;
