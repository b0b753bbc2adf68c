import { StartupError } from '../../process/startup-error.ts';

/** Parameters of a connection URI, a service or the environment, each taken once; the first source that has one counts. */
export class Parameters {
  readonly #values = new Map<string, string>();
  readonly #origins = new Map<string, string>();

  /** @param origin undefined for the URI. Empty text counts as unset */
  offer(name: string, value: string | undefined, origin?: string): void {
    if (value === undefined || value === '' || this.#values.has(name)) return;
    this.#values.set(name, value);
    if (origin !== undefined) this.#origins.set(name, origin);
  }

  /** The last of several in one URI counts, as in libpq. */
  replace(name: string, value: string): void {
    this.#values.delete(name);
    this.offer(name, value);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  take(name: string): string | undefined {
    const value = this.#values.get(name);
    this.#values.delete(name);
    return value;
  }

  /** Parameters that were not taken: settings of the server. */
  get rest(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#values);
  }

  /** @param what the problem and the cure; never a value that may be secret */
  refused(name: string, what: string, cause?: unknown): StartupError {
    const origin = this.#origins.get(name);
    const named = origin === undefined ? name : `${name} (from ${origin})`;
    return new StartupError(['postgresql_connection_uri:', named, what].filter(Boolean).join(' '), { cause });
  }
}
