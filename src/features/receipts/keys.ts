import { Refusal } from '../../domain/errors.ts';
import { sealedPurposes, type Sealer } from '../../process/sealer.ts';
import { exported, imported, newSigningKey, type SigningKey } from '../../receipts/ed25519.ts';
import { keyNameOf } from '../../receipts/envelope.ts';
import type { ReceiptKeyStore, StoredKey } from './model.ts';

export interface KeyContext {
  readonly keys: ReceiptKeyStore;
  readonly sealer: Sealer;
  readonly now: () => number;
}

/**
 * The key that signs an app's receipts: the newest, and the first one is made now.
 * @throws Refusal ENCRYPTION_KEY_MISSING; APP_OR_TENANT_NOT_FOUND if the app was removed meanwhile
 */
export async function signingKeyOf(context: KeyContext, appNo: number): Promise<SigningKey> {
  const { keys, sealer } = context;
  const newest = (await keys.list(appNo))[0] ?? (await made(context, appNo, { isFirst: true }));
  return imported(sealer.open(placeOf(appNo, newest.kid), newest.sealedKey));
}

/** From now on a new key signs. @returns it */
export function rotateKey(context: KeyContext, appNo: number): Promise<StoredKey> {
  return made(context, appNo, { isFirst: false });
}

async function made(
  { keys, sealer, now }: KeyContext,
  appNo: number,
  { isFirst }: { readonly isFirst: boolean },
): Promise<StoredKey> {
  const key = newSigningKey();
  const kid = keyNameOf(key.publicKey);
  const sealedKey = sealer.seal(placeOf(appNo, kid), exported(key));
  await keys.add(appNo, { kid, createdAt: now(), publicKey: key.publicKey, sealedKey }, isFirst);
  const [newest] = await keys.list(appNo);
  if (newest === undefined) throw new Refusal('APP_OR_TENANT_NOT_FOUND');
  return newest;
}

function placeOf(appNo: number, kid: string) {
  return { purpose: sealedPurposes.signingKey, appNo, row: kid };
}
