import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Job } from '../../imports/model.ts';
import type { SigningKey } from '../../receipts/ed25519.ts';
import type { Envelope } from '../../receipts/envelope.ts';
import type { StatedFile } from '../../receipts/statement.ts';
import type { FeatureParts } from '../feature.ts';
import { type KeyContext, rotateKey, signingKeyOf } from './keys.ts';
import { madeReceipt, type ReceiptContext, secretOf } from './make.ts';
import type { StoredKey } from './model.ts';
import { outcomesOf, proofOf } from './prove.ts';
import { receiptKeyStore, receiptStore } from './store.ts';

type Answer<Fields> = { readonly status: 'OK' } & Fields;

interface ShownKey {
  readonly id: string;
  /** Base64 of its 32 bytes. */
  readonly ed25519: string;
  /** ms since the epoch */
  readonly createdAt: number;
  readonly signs: boolean;
}

export interface ReceiptOperations {
  /** Makes the receipt of an ended job; a second call returns the first one. @throws Refusal as madeReceipt, NOT_FOUND */
  make(
    tenant: Tenant,
    id: string,
    files: readonly StatedFile[],
  ): Promise<Answer<{ readonly receipt: Envelope }>>;
  /** @throws Refusal NOT_FOUND, RECEIPT_NOT_MADE */
  get(tenant: Tenant, id: string): Promise<Answer<{ readonly receipt: Envelope }>>;
  /** @throws Refusal as proofOf, NOT_FOUND */
  prove(tenant: Tenant, id: string, line: number): Promise<object>;
  /** @throws Refusal NOT_FOUND, RECEIPT_NOT_KEPT, JOB_PURGED */
  outcomes(tenant: Tenant, id: string): Promise<AsyncIterable<string>>;
  /** Newest first. */
  keys(tenant: Tenant): Promise<Answer<{ readonly keys: readonly ShownKey[] }>>;
  /** From now on a new key signs; receipts of before keep theirs. @throws Refusal ENCRYPTION_KEY_MISSING */
  rotate(tenant: Tenant): Promise<Answer<{ readonly keys: readonly ShownKey[] }>>;
}

function keyContextOf({ context, openStores }: FeatureParts): KeyContext {
  const { sealer, now } = context;
  return { keys: openStores(({ live }) => receiptKeyStore(live)), sealer, now };
}

/** For receipts of other features. @returns the newest key of an app; throws as signingKeyOf */
export function openSigningKeys(parts: FeatureParts): (appNo: number) => Promise<SigningKey> {
  const own = keyContextOf(parts);
  return (appNo) => signingKeyOf(own, appNo);
}

export function openReceipts(parts: FeatureParts): ReceiptOperations {
  const { openStores, imports, importThreads, version } = parts;
  const own: ReceiptContext = {
    ...keyContextOf(parts),
    store: openStores(({ live }) => receiptStore(live)),
    threads: importThreads,
    version,
  };
  const jobOf = async (tenant: Tenant, id: string): Promise<Job> => {
    const job = await imports.find(tenant, id);
    if (job === undefined) throw new Refusal('NOT_FOUND');
    return job;
  };
  const keys: ReceiptOperations['keys'] = async ({ appNo }) => ({
    status: 'OK',
    keys: (await own.keys.list(appNo)).map(shown),
  });
  return {
    async make(tenant, id, files) {
      const job = await jobOf(tenant, id);
      return answerOf((await madeReceipt(own, tenant, job, files)).envelope);
    },
    async get(tenant, id) {
      const job = await jobOf(tenant, id);
      const kept = await own.store.find(job);
      if (kept === undefined)
        throw new Refusal(job.receipt === true ? 'RECEIPT_NOT_MADE' : 'RECEIPT_NOT_KEPT');
      return answerOf(kept.envelope);
    },
    async prove(tenant, id, line) {
      const { salt, path, ...rest } = await proofOf(own, await jobOf(tenant, id), line);
      return { status: 'OK', ...rest, salt: base64(salt), path: base64(path) };
    },
    async outcomes(tenant, id) {
      const job = await jobOf(tenant, id);
      secretOf(job);
      return outcomesOf(own, job);
    },
    keys,
    async rotate(tenant) {
      await rotateKey(own, tenant.appNo);
      return keys(tenant);
    },
  };
}

function answerOf(envelope: string): Answer<{ readonly receipt: Envelope }> {
  return { status: 'OK', receipt: JSON.parse(envelope) as Envelope };
}

function shown({ kid, publicKey, createdAt }: StoredKey, place: number): ShownKey {
  return { id: kid, ed25519: base64(publicKey), createdAt, signs: place === 0 };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
