/**
 * The core cannot start, and the operator can do something about it.
 * `message` is one line that says what is wrong and the cure: print it alone, without the stack. It never holds a secret.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}
