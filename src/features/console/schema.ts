import * as field from '../../schema/fields.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';
import { runKinds, settledKinds } from './model.ts';

const uuid = {
  type: 'string',
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  'x-why': { pattern: 'must be the id of a file of the console' },
} as const satisfies FieldSchema;

const option = { type: 'string', maxLength: 256 } as const satisfies FieldSchema;
const secret = { type: 'string', maxLength: 4096 } as const satisfies FieldSchema;

/** Files that some formats have besides that of the users, as the command's options are called. */
const related = {
  type: 'object',
  description: 'Further files of the format, by the name of its option.',
  properties: {
    'aspnet-logins': uuid,
    'auth0-hashes': uuid,
    'auth0-factors': uuid,
    'authjs-accounts': uuid,
    'better-auth-accounts': uuid,
    'better-auth-two-factor': uuid,
    'devise-identities': uuid,
    'django-emails': uuid,
    'django-identities': uuid,
    'laravel-accounts': uuid,
    'spring-authorities': uuid,
    'stytch-hashes': uuid,
    'supabase-identities': uuid,
    'supabase-factors': uuid,
    'wordpress-usermeta': uuid,
    'wordpress-wordfence': uuid,
    'wordpress-miniorange': uuid,
  },
} as const satisfies FieldSchema;

/** Keys of the old system. They are in the environment of the run's process, and nowhere else. */
const secrets = {
  type: 'object',
  description: 'Keys of the old system, by the name of their option; forgotten with the end of the run.',
  properties: {
    'better-auth-secret': secret,
    pepper: secret,
    'devise-otp-key': secret,
    'rails-primary-key': secret,
    'rails-derivation-salt': secret,
    'firebase-signer-key': secret,
    'laravel-app-key': secret,
    'wordpress-2fa-key': secret,
    'password-as': secret,
  },
} as const satisfies FieldSchema;

/** Bodies of requests. */
export const consoleBodies = {
  beginConsoleSession: {
    type: 'object',
    description: 'With a key, or with email and password of a dashboard user.',
    properties: {
      key: { type: 'string', maxLength: 4096 },
      email: field.emailSought,
      password: { type: 'string', 'x-maxBytes': 4096 },
      isSecure: { ...field.flag, description: 'The page came by HTTPS: so must the cookie.' },
    },
    required: [],
  },
  startRun: {
    type: 'object',
    properties: {
      kind: { type: 'string', enum: runKinds },
      files: { type: 'array', items: uuid, maxItems: 100, description: 'Read as one.' },
      canaries: { ...uuid, description: 'Users with known passwords. Of `doctor`: the pairs.' },
      related,
      secrets,
      address: {
        type: 'string',
        maxLength: 2048,
        description: 'Of the database, for `read-database`; the password may be in it, and is not stored.',
        pattern: '^(postgres|postgresql|mysql|mariadb)://',
        'x-why': { pattern: 'must begin with postgres:// or mysql://' },
      },
      map: { type: 'array', items: option, maxItems: 100 },
      from: option,
      hashAs: option,
      withoutPassword: option,
      idPrefix: option,
      tenant: option,
      encoding: option,
      table: option,
      dates: option,
      country: option,
      rolesFrom: option,
      onConflict: option,
      secondFactor: option,
      absent: option,
      source: option,
      schema: option,
      tablePrefix: option,
      usersTable: option,
      realm: option,
      partial: field.flag,
      includeDeleted: field.flag,
      showSamples: { ...field.flag, description: 'Shows emails and ids of samples in full.' },
    },
    required: ['kind'],
  },
  mendRecords: {
    type: 'object',
    properties: {
      records: {
        type: 'array',
        minItems: 1,
        maxItems: 1000,
        items: {
          type: 'object',
          properties: {
            mend: { type: 'integer', minimum: 0, description: 'As the list of rejects has it.' },
            record: {
              type: 'string',
              minLength: 2,
              maxLength: 1_000_000,
              description: 'The corrected record as JSON. What is `(masked)` in it stays as it was.',
            },
          },
          required: ['mend', 'record'],
        },
      },
    },
    required: ['records'],
  },
  decideRecords: {
    type: 'object',
    properties: {
      lines: {
        type: 'array',
        minItems: 1,
        maxItems: 1000,
        items: { type: 'integer', minimum: 1 },
        description: 'Of the records, as the list of conflicts has them.',
      },
    },
    required: ['lines'],
  },
  settleDifferences: {
    type: 'object',
    properties: {
      kind: {
        type: 'string',
        enum: [...settledKinds, 'all'],
        description: 'Class of the users; a user with several differences is in the first that fits.',
      },
      choice: {
        type: 'string',
        enum: ['theirs', 'ours'],
        description: 'For the rule of the import, where both sides have a value.',
      },
    },
    required: ['kind', 'choice'],
  },
  revealUser: { type: 'object', properties: { userId: field.userId }, required: ['userId'] },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const consoleQueries = {
  searchUsers: {
    type: 'object',
    properties: {
      text: {
        type: 'string',
        maxLength: 256,
        description:
          'An id, an email or a phone number; if no user has it, the beginning of an email or a phone number. Left out: all, newest first.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      paginationToken: field.text,
    },
    required: [],
  },
  showUser: { type: 'object', properties: { userId: field.userId }, required: ['userId'] },
  consoleHistory: { type: 'object', properties: { paginationToken: field.text }, required: [] },
} as const satisfies Record<string, RequestSchema>;

export type ConsoleInputs = Inputs<typeof consoleBodies & typeof consoleQueries>;
