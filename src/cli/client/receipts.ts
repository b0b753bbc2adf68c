/** Receipts, as the core answers about them. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileError } from '../command-error.ts';
import type { CoreClient } from './core-client.ts';

export interface ProofView {
  readonly line: number;
  readonly of: number;
  readonly outcome: string;
  /** Base64, as is the path. */
  readonly salt: string;
  readonly path: string;
}

export interface KeyView {
  readonly id: string;
  /** Base64. */
  readonly ed25519: string;
  /** ms since the epoch */
  readonly createdAt: number;
  /** It signs receipts that are made now. */
  readonly signs: boolean;
}

/**
 * Makes a job's receipt, or gets the one that was made.
 * @param files that were imported: the receipt states their digests
 */
export async function makeReceipt(
  client: CoreClient,
  id: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<object> {
  const stated = [];
  for (const file of files) stated.push({ name: path.basename(file), sha256: await sha256Of(file, signal) });
  const input = { files: stated };
  const answer = await client.call<{ receipt: object }>({
    method: 'POST',
    path: receiptPath(id),
    input,
    signal,
  });
  return answer.receipt;
}

export function receiptPath(id: string): string {
  return `/bulk-import/jobs/${encodeURIComponent(id)}/receipt`;
}

/** Hexadecimal. @throws CommandError */
export async function sha256Of(file: string, signal: AbortSignal): Promise<string> {
  const digest = createHash('sha256');
  try {
    await pipeline(createReadStream(file), digest, { signal });
  } catch (error) {
    if (signal.aborted) throw error;
    throw fileError(file, error);
  }
  return digest.digest('hex');
}
