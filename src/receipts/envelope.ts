/** The envelope of signed JSON: DSSE (https://github.com/secure-systems-lab/dsse, protocol 1.0). */

import { hash } from 'node:crypto';
import { isSigned, signed, type SigningKey } from './ed25519.ts';
import { ReceiptFault } from './fault.ts';

const payloadType = 'application/vnd.in-toto+json';

export interface Envelope {
  readonly payloadType: string;
  /** Base64, as are signatures. */
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** The name of a key among signatures: the SHA-256 of its 32 bytes. */
export function keyNameOf(publicKey: Uint8Array): string {
  return hash('sha256', publicKey, 'hex');
}

/** What is signed: the type and the payload, each after its length. */
function preAuthentication(type: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

export function sealedEnvelope(statement: object, key: SigningKey): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = signed(preAuthentication(payloadType, payload), key).toString('base64');
  return {
    payloadType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: keyNameOf(key.publicKey), sig }],
  };
}

/**
 * @returns what was signed
 * @throws ReceiptFault unless one of the signatures is by this key
 */
export function openEnvelope(envelope: unknown, publicKey: Uint8Array): unknown {
  const { payload, signatures } = envelopeOf(envelope);
  const bytes = Buffer.from(payload, 'base64');
  const text = preAuthentication(payloadType, bytes);
  if (signatures.some(({ sig }) => isSigned(text, Buffer.from(sig, 'base64'), publicKey)))
    return JSON.parse(bytes.toString('utf8'));
  const isNamed = signatures.some(({ keyid }) => keyid === keyNameOf(publicKey));
  throw new ReceiptFault(
    isNamed
      ? "the receipt's signature does not match: it was changed after it was signed"
      : `the receipt is not signed by the key ${keyNameOf(publicKey)}`,
  );
}

/** The statement, before any signature was checked: to find the key that it names. */
export function unverifiedStatement(envelope: unknown): unknown {
  try {
    return JSON.parse(Buffer.from(envelopeOf(envelope).payload, 'base64').toString('utf8'));
  } catch (error) {
    if (error instanceof ReceiptFault) throw error;
    throw new ReceiptFault('the receipt holds no statement', { cause: error });
  }
}

function envelopeOf(value: unknown): Envelope {
  const { payloadType: type, payload, signatures } = { ...(value as Partial<Envelope> | null) };
  if (typeof payload !== 'string' || !Array.isArray(signatures))
    throw new ReceiptFault('this is not a receipt: it has no payload and signatures');
  if (type !== payloadType)
    throw new ReceiptFault(`this is not a receipt: its payload is not ${payloadType}`);
  const isSignature = (each: unknown): boolean =>
    typeof each === 'object' && each !== null && 'sig' in each && typeof each.sig === 'string';
  if (!signatures.every(isSignature)) throw new ReceiptFault('a signature of the receipt has no text');
  return { payloadType: type, payload, signatures: signatures as Envelope['signatures'] };
}
