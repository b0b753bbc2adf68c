/** Headers of the tus resumable upload protocol 1.0.0 (tus.io/protocols/resumable-upload). */
import { Refusal } from '../../../domain/errors.ts';
import { type Header, refusalReply, type Reply } from '../../response/replies.ts';
import type { HandledHead } from '../../routing/route.ts';

const version = '1.0.0';
export const uploadBytes = 'application/offset+octet-stream';
/** On every answer of the protocol. */
export const tusHeaders: readonly Header[] = [['Tus-Resumable', version]];
const versions: Header = ['Tus-Version', version];

/** Headers of the answer to OPTIONS. The last extension is not one of tus: see Upload-Ahead. */
export const tusAbilities: readonly Header[] = [
  versions,
  ['Tus-Extension', 'creation,creation-with-upload,creation-defer-length,termination,carryover-ahead'],
];

const unsupportedVersion = refusalReply(new Refusal('UNSUPPORTED_TUS_VERSION'), [versions]);

/** @returns the refusal of another version than ours; `required`: also of a missing one */
export function versionRefusal(head: HandledHead, required = false): Reply | undefined {
  const said = head.uploadHeaders.get('tus-resumable');
  return said === version || (said === undefined && !required) ? undefined : unsupportedVersion;
}

/** @throws Refusal INVALID_UPLOAD_HEADER for a missing or invalid number of bytes */
export function uploadOffset(head: HandledHead): number {
  const offset = bytesIn(head, 'Upload-Offset');
  if (offset === undefined) throw new Refusal('INVALID_UPLOAD_HEADER', "'Upload-Offset' is missing");
  return offset;
}

/**
 * Whether the bytes before `Upload-Offset` may be on their way through other cores.
 * @throws Refusal INVALID_UPLOAD_HEADER for any value but 1
 */
export function isUploadAhead(head: HandledHead): boolean {
  const text = head.uploadHeaders.get('upload-ahead');
  if (text !== undefined && text !== '1')
    throw new Refusal('INVALID_UPLOAD_HEADER', "'Upload-Ahead' must be 1");
  return text !== undefined;
}

/** @throws Refusal INVALID_UPLOAD_HEADER for an invalid number of bytes */
export function uploadLength(head: HandledHead): number | undefined {
  return bytesIn(head, 'Upload-Length');
}

/**
 * The length of a new upload; undefined while the sender does not know it.
 * @throws Refusal UPLOAD_LENGTH_REQUIRED without either header, INVALID_UPLOAD_HEADER with both
 */
export function newUploadLength(head: HandledHead): number | undefined {
  const length = uploadLength(head);
  const deferred = head.uploadHeaders.get('upload-defer-length');
  if (deferred === undefined) {
    if (length === undefined) throw new Refusal('UPLOAD_LENGTH_REQUIRED');
    return length;
  }
  if (deferred !== '1') throw new Refusal('INVALID_UPLOAD_HEADER', "'Upload-Defer-Length' must be 1");
  if (length !== undefined)
    throw new Refusal(
      'INVALID_UPLOAD_HEADER',
      "'Upload-Length' and 'Upload-Defer-Length' exclude each other",
    );
  return undefined;
}

/**
 * The named values of `Upload-Metadata` as a query, which is then validated as one.
 * @throws Refusal INVALID_UPLOAD_HEADER, naming the value, for invalid UTF-8 or base64; other names are ignored
 */
export function uploadMetadata(head: HandledHead, names: ReadonlySet<string>): string {
  const query = new URLSearchParams();
  for (const pair of (head.uploadHeaders.get('upload-metadata') ?? '').split(',')) {
    const [name = '', value = ''] = pair.trim().split(' ');
    if (names.has(name)) query.append(name, decoded(name, value));
  }
  return query.toString();
}

const base64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(name: string, value: string): string {
  try {
    if (base64.test(value)) return utf8.decode(Buffer.from(value, 'base64'));
  } catch {
    // Invalid UTF-8: refused as below.
  }
  throw new Refusal(
    'INVALID_UPLOAD_HEADER',
    `'Upload-Metadata': the value of '${name}' is no base64 of UTF-8`,
  );
}

function bytesIn(head: HandledHead, name: string): number | undefined {
  const text = head.uploadHeaders.get(name.toLowerCase());
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refusal('INVALID_UPLOAD_HEADER', `'${name}' must be a number of bytes`);
}
