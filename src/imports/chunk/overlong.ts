import type { Reject } from '../model.ts';
import type { Column, ParsedChunk, SimpleRows } from '../parse/types.ts';

const reject: Reject = {
  line: 1,
  code: 'LINE_TOO_LONG',
  field: '',
  message: 'The line is longer than 1 MiB: shorten its userMetadata, or divide its loginMethods',
};

const empty: Column = '{}';

const noRows: SimpleRows = {
  count: 0,
  line: empty,
  tenantNo: empty,
  tenants: empty,
  kind: empty,
  key: empty,
  userId: empty,
  timeJoined: empty,
  verified: empty,
  email: empty,
  passwordHash: empty,
  thirdPartyId: empty,
  thirdPartyUserId: empty,
  phone: empty,
  isPrimary: empty,
  externalId: empty,
  metadata: empty,
  roles: empty,
  totpDevices: empty,
  restrictions: empty,
  base: empty,
};

/** What is made of a line that was too long to be kept: its own chunk, with nothing but the reject. */
export const overlongLine: ParsedChunk = {
  lines: 1,
  rejects: [reject],
  rows: noRows,
  simpleRecords: new Uint32Array(0),
  complexRecords: new Uint32Array(0),
  spans: new Uint32Array(0),
  linesOf: new Uint32Array(0),
  kinds: new Uint8Array(0),
  kindNames: [],
  factors: [],
  keptOut: [],
  oddDates: [],
  keys: new Float64Array(0),
  claims: [],
};
