/**
 * All refusals: stable code → HTTP status → public message. Any other error that is thrown is a bug and becomes INTERNAL_ERROR.
 */
export const refusals = {
  INVALID_JSON_INPUT: { http: 400, message: 'Invalid Json Input' },
  INVALID_FIELD: { http: 400, message: 'Field is invalid in JSON input' },
  MISSING_QUERY_PARAMETER: { http: 400, message: 'Field is missing in GET request' },
  INVALID_QUERY_PARAMETER: { http: 400, message: 'Field is invalid in GET request' },
  UNSUPPORTED_HASHING_ALGORITHM: { http: 400, message: 'Unsupported password hashing algorithm' },
  INVALID_PASSWORD_HASH: { http: 400, message: 'Password hash is in invalid format' },
  HASH_OVER_CEILING: { http: 400, message: 'Password hash costs more than the configuration allows' },
  SIGNER_KEY_MISSING: {
    http: 400,
    message:
      "No signer key is configured: set 'provider_password_hashing_signer_key' to the key of the project (Firebase console: Authentication > Users > three dots > Password hash parameters)",
  },
  ENCRYPTION_KEY_MISSING: {
    http: 400,
    message:
      "No encryption key is configured: set 'encryption_keys' to 32 random bytes in base64, with which secrets are sealed in the database",
  },
  CANARY_FAILED: { http: 400, message: 'A canary failed: nothing was imported' },
  INVALID_CORE_CONFIG: { http: 400, message: 'Invalid core config' },
  UNKNOWN_USER_ID: { http: 400, message: 'Unknown user ID provided' },
  APP_OR_TENANT_NOT_FOUND: { http: 400, message: 'AppId or tenantId not found' },
  CDI_VERSION_INVALID: { http: 400, message: 'cdi-version header is invalid' },
  CDI_VERSION_NOT_SUPPORTED: { http: 400, message: 'cdi-version not supported' },
  INVALID_FRAMING: { http: 400, message: 'The request has ambiguous or unsupported framing headers' },
  INVALID_UPLOAD_HEADER: { http: 400, message: 'An upload header is missing or invalid' },
  UPLOAD_LENGTH_REQUIRED: {
    http: 400,
    message: "Say how long the upload is: 'Upload-Length', or 'Upload-Defer-Length: 1' while it is not known",
  },
  UPLOAD_LENGTH_CONFLICT: {
    http: 400,
    message: "'Upload-Length' differs from the one stated before, or is below what is committed",
  },
  UPLOAD_TOO_LONG: { http: 400, message: "The body goes beyond the upload's 'Upload-Length'" },
  UPLOAD_WITHOUT_LINE: {
    http: 400,
    message: 'The body holds no complete line and does not reach the end of the upload: send more at once',
  },
  UPLOAD_INTERRUPTED: { http: 400, message: 'The body ended before it was complete' },
  GZIP_INVALID: {
    http: 400,
    message: 'The body is not valid gzip, or ends too early: lines before the fault may have been imported',
  },
  GZIP_RATIO: {
    http: 400,
    message: 'The gzip body unpacks to far more than an export would: send it unpacked',
  },
  INVALID_API_KEY: { http: 401, message: 'Invalid API key' },
  RECIPE_DISABLED: { http: 403, message: 'This way to sign in is not enabled for the tenant' },
  APP_SPECIFIC_API: { http: 403, message: 'Only public tenantId can call this app specific API' },
  KEY_SCOPE_MISSING: { http: 403, message: 'The key is not for this' },
  HASH_EXPORT_NOT_ALLOWED: {
    http: 403,
    message: "Exports hold password hashes: set 'allow_hash_export' to true to allow them",
  },
  PUBLIC_CANNOT_BE_REMOVED: { http: 403, message: 'The public app and the public tenants cannot be removed' },
  PUBLIC_APP_ONLY: { http: 403, message: 'Only the public app can create, list or remove apps' },
  NOT_FOUND: { http: 404, message: 'Not found' },
  LINE_NOT_FOUND: { http: 404, message: 'The job does not have this line' },
  METHOD_NOT_SUPPORTED: { http: 405, message: 'Method not supported' },
  SENDER_TOO_SLOW: {
    http: 408,
    message: 'Nothing was received for too long: what was committed stays, resume at the committed offset',
  },
  UPLOAD_OFFSET_CONFLICT: {
    http: 409,
    message: "'Upload-Offset' is not the committed offset: ask for it by HEAD",
  },
  APP_IS_MOVING: {
    http: 409,
    message:
      'The app is moving between places: end the move first (carryover apps move, --confirm or --back)',
  },
  RECEIPT_NOT_KEPT: {
    http: 409,
    message:
      'The job was begun without a receipt, so the outcome of its lines was not stored: begin it with receipt=true (--receipt)',
  },
  RECEIPT_NOT_MADE: {
    http: 409,
    message: 'The job has no receipt yet: POST makes it (carryover receipt)',
  },
  JOB_STILL_RECEIVING: { http: 409, message: 'The job is still receiving: finish or DELETE it first' },
  RUN_NOT_ENDED: {
    http: 409,
    message: 'The run has not ended, so what it writes is not whole yet: try again when it has',
  },
  JOB_PURGED: {
    http: 410,
    message:
      "What the job replaced was removed, on request or after 'job_retention_days': it cannot be undone, import the former state instead",
  },
  JOB_STOPPED: { http: 410, message: 'The job has stopped: its cancelReason says why' },
  UPLOAD_GONE: { http: 410, message: 'The job does not take anything any more' },
  LENGTH_REQUIRED: { http: 411, message: 'Content-Length is required: chunked bodies are not accepted here' },
  UNSUPPORTED_TUS_VERSION: { http: 412, message: "'Tus-Resumable' must be 1.0.0" },
  BODY_TOO_LARGE: { http: 413, message: 'The request body is larger than max_body_bytes' },
  NO_ROOM_FOR_FILE: { http: 413, message: 'The core has no room for the file' },
  NOT_ENOUGH_MEMORY: { http: 413, message: 'The core has too little memory for imports' },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, message: 'The type or encoding of the body is not supported here' },
  UPLOAD_LOCKED: {
    http: 423,
    message: 'Another request is uploading to this job: try again when it has ended',
  },
  TOO_MANY_GUESSES: { http: 429, message: 'Too many wrong passwords: try again later' },
  OLD_SYSTEM_UNAVAILABLE: {
    http: 503,
    message: 'The old system could not be asked, so nothing was decided: try again later',
  },
  OVERLOADED: { http: 503, message: 'The core is busy: try again later' },
  DATABASE_UNAVAILABLE: { http: 503, message: 'The database cannot be reached: try again later' },
  LEGACY_UNAVAILABLE: {
    http: 503,
    message: 'The old system that knows the password cannot be asked: try again later',
  },
  OUTCOME_UNKNOWN: {
    http: 503,
    message: 'The database connection was lost while writing: the change may or may not have been made',
  },
  CALLER_LEFT: { http: 503, message: 'The client closed the connection before the work began' },
  SHUTTING_DOWN: { http: 503, message: 'The core is shutting down' },
  INTERNAL_ERROR: { http: 500, message: 'Internal error' },
} as const satisfies Record<string, { http: number; message: string }>;

export type RefusalCode = keyof typeof refusals;

interface RefusalOptions extends ErrorOptions {
  readonly retryAfterSeconds?: number;
  /** Replaces the message for SDK drivers, whose users compare or search for its text. */
  readonly driverMessage?: string;
}

/** An expected refusal: answered with its status and `message`, never logged as an error. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** Whole seconds until a retry, at least 1, if known. */
  readonly retryAfterSeconds: number | undefined;
  readonly driverMessage: string | undefined;

  /** @param message public text; default: the table's. Never put a hash, password, token or key in it. */
  constructor(code: RefusalCode, message?: string, options?: RefusalOptions) {
    // No stack: nothing reads it, it costs ten times the rest, and a busy core refuses thousands of requests.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message ?? refusals[code].message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refusal';
    this.code = code;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.driverMessage = options?.driverMessage;
  }

  get http(): number {
    return refusals[this.code].http;
  }
}
