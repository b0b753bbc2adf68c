import type { OperationsContext } from '../context.ts';
import { codeOperations, type CodeOperations } from './codes.ts';
import { consumeOperations, type ConsumeOperations } from './consume.ts';
import { contactOperations, type ContactOperations } from './contacts.ts';
import { storedCodeOperations, type StoredCodeOperations } from './stored.ts';

export type PasswordlessOperations = CodeOperations &
  ConsumeOperations &
  StoredCodeOperations &
  ContactOperations;

/** Signing in and up by codes and links that are sent to an email or a phone number. */
export function passwordlessOperations(context: OperationsContext): PasswordlessOperations {
  return {
    ...codeOperations(context),
    ...consumeOperations(context),
    ...storedCodeOperations(context),
    ...contactOperations(context),
  };
}
