import { StartupError } from '../../process/startup-error.ts';

/** What a connection URI, a service or the environment says by name, each taken once; the first that says it counts. */
export class Parameters {
  readonly #values = new Map<string, string>();
  /** Of those that do not stand in the URI: where they do. */
  readonly #origins = new Map<string, string>();

  /** @param origin where it stands: undefined for the URI itself. Empty text says nothing */
  offer(name: string, value: string | undefined, origin?: string): void {
    if (value === undefined || value === '' || this.#values.has(name)) return;
    this.#values.set(name, value);
    if (origin !== undefined) this.#origins.set(name, origin);
  }

  /** Of several in one URI the last counts, as in libpq. */
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

  /** What is left: settings of the server. */
  get rest(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#values);
  }

  /** @param what wrong, and the cure; never a value that may be secret */
  refused(name: string, what: string, cause?: unknown): StartupError {
    const origin = this.#origins.get(name);
    const named = origin === undefined ? name : `${name} (from ${origin})`;
    return new StartupError(['postgresql_connection_uri:', named, what].filter(Boolean).join(' '), { cause });
  }
}
