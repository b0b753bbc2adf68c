import type { RecordName } from './records.ts';

declare namespace validators {
  /** One thing that a validator found wrong. */
  interface SchemaError {
    /** JSON pointer of the value, such as `/email/id` */
    readonly instancePath: string;
    readonly keyword: string;
    readonly params: {
      readonly missingProperty?: string;
      readonly limit?: number;
      readonly allowedValues?: readonly string[];
    };
  }

  interface Validate {
    (input: unknown): boolean;
    /** What the last call found; null when it found nothing. */
    readonly errors: readonly SchemaError[] | null;
  }
}

/** Of requests and records, by the names of their schemas. */
declare const validators: Readonly<Record<RecordName, validators.Validate>> &
  Readonly<Partial<Record<string, validators.Validate>>>;
export = validators;
