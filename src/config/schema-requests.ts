import { type SettingSchemas, text } from './setting.ts';
import { apiKeysOfApp } from './schema-tenant.ts';

export const requests = {
  host: {
    ...text,
    default: '127.0.0.1',
    description: 'address to listen on; 0.0.0.0 for all, with a TLS proxy in front',
  },
  port: {
    type: 'integer',
    default: 3567,
    minimum: 0,
    maximum: 65_535,
    description: 'port to listen on; 0 takes a free one',
  },
  api_keys: {
    ...apiKeysOfApp,
    'x-default': 'none: with its own PostgreSQL, the first start makes one in data_dir',
  },
  named_keys: {
    type: 'string',
    format: 'named-keys',
    writeOnly: true,
    'x-unit': 'a list of keys, in an environment variable as JSON',
    description:
      'keys with a name and for a part of the core only, such as one for /metrics; read again on SIGHUP: see the page keys',
  },
  require_api_key: {
    type: 'boolean',
    default: true,
    description:
      'whether callers need a key; without one every client that reaches the core may call it, so only on a loopback address',
  },
  cdi_versions: {
    type: 'string',
    format: 'cdi-versions',
    'x-unit': 'versions between commas, in quotes',
    'x-default': 'all that are served: see GET /apiversion',
    description:
      'versions of the driver interface that requests may name and /apiversion lists; set it to switch off old ones, once no SDK of yours speaks them',
  },
  encryption_keys: {
    type: 'string',
    format: 'encryption-keys',
    writeOnly: true,
    'x-unit': 'keys of 32 bytes in base64, between commas',
    'x-default': 'none: with its own PostgreSQL, the first start makes one in data_dir',
    description:
      'keys that seal secrets in the database, such as signing keys: the first seals, each opens; the same for all cores of a database; sessions need one',
  },
  max_body_bytes: {
    type: 'integer',
    default: 65_536,
    minimum: 1024,
    maximum: 16_777_216,
    'x-unit': 'bytes',
    description: 'largest JSON body of one request; bulk import streams have no such limit',
  },
  max_header_bytes: {
    type: 'integer',
    default: 4096,
    minimum: 4096,
    maximum: 1_048_576,
    'x-unit': 'bytes',
    description: 'largest head of a request, with all its headers; one that is larger is 431',
  },
  keep_alive_timeout_ms: {
    type: 'integer',
    default: 75_000,
    minimum: 1000,
    maximum: 3_600_000,
    'x-unit': 'ms',
    description:
      'how long a connection may be idle between requests: longer than in the proxy in front of the core; if it is set, front_end is NODE_HTTP: UWEBSOCKETS ends it after 8 to 12 s',
  },
  wait_limit_ms: {
    type: 'integer',
    default: 3000,
    minimum: 100,
    maximum: 600_000,
    'x-unit': 'ms',
    description:
      'how long a request waits for a thread or the database before it is 503: less than your app waits for an answer',
  },
  front_end: {
    type: 'string',
    enum: ['AUTO', 'UWEBSOCKETS', 'NODE_HTTP'],
    default: 'AUTO',
    description:
      'the HTTP library, UWEBSOCKETS or NODE_HTTP; AUTO: the first where it has a binary for this platform and Node, until clients show that they need the second (HTTP/1.0)',
  },
} as const satisfies SettingSchemas;
