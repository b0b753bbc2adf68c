import type { OperationsContext } from '../../operations/context.ts';
import type { PasswordlessStore } from './model.ts';

export interface PasswordlessContext extends OperationsContext {
  readonly passwordless: PasswordlessStore;
}
