import { removeInAll } from '../../store/expired-rows.ts';
import type { FeatureParts } from '../feature.ts';
import type { PasswordlessContext } from './context.ts';
import { codeOperations, type CodeOperations } from './codes.ts';
import { consumeOperations, type ConsumeOperations } from './consume.ts';
import { contactOperations, type ContactOperations } from './contacts.ts';
import { storedCodeOperations, type StoredCodeOperations } from './stored.ts';
import { removeExpiredDevices } from './store/remove.ts';
import { passwordlessStore } from './store/store.ts';

export interface PasswordlessOperations
  extends CodeOperations, ConsumeOperations, StoredCodeOperations, ContactOperations {
  /** @returns the number of removed devices, whose codes have all expired */
  removeExpired(): Promise<number>;
}

export function openPasswordless({
  context: given,
  openStores,
  databases,
}: FeatureParts): PasswordlessOperations {
  const context: PasswordlessContext = {
    ...given,
    passwordless: openStores(({ batches, live }) => passwordlessStore(batches, live)),
  };
  return {
    ...codeOperations(context),
    ...consumeOperations(context),
    ...storedCodeOperations(context),
    ...contactOperations(context),
    removeExpired: () => removeInAll(databases, removeExpiredDevices, context.now()),
  };
}
