/** The built pages: read from disk when they are first asked for, and kept, packed as the build left them. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../../domain/errors.ts';
import { Reply, StreamReply } from '../../http/response/replies.ts';

const built = fileURLToPath(new URL('built/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Nothing from other hosts, nothing inline, and in no frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guards = [
  ['Content-Security-Policy', policy],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
] as const;

export class Pages {
  readonly #folder: string;
  readonly #files = new Map<string, Buffer | undefined>();
  #names: ReadonlySet<string> | undefined;

  constructor(folder = built) {
    this.#folder = folder;
  }

  /** @throws Refusal NOT_FOUND if the pages were not built */
  page(): Reply {
    const html = this.#read('index.html');
    if (html === undefined)
      throw new Refusal('NOT_FOUND', 'The pages of the console are not built: run `npm run build:console`');
    const body = html.toString();
    return new Reply({
      contentType: 'text/html; charset=utf-8',
      body,
      headers: [...guards, ['Cache-Control', 'no-cache']],
    });
  }

  /** @param name of a file that the build packed; each change has another name @throws Refusal NOT_FOUND */
  asset(name: string): StreamReply {
    const type = types[name.slice(name.lastIndexOf('.') + 1)];
    const bytes = type === undefined ? undefined : this.#read(`console/${name}.gz`);
    if (type === undefined || bytes === undefined) throw new Refusal('NOT_FOUND');
    return new StreamReply({
      contentType: type,
      headers: [
        ...guards,
        ['Content-Encoding', 'gzip'],
        ['Cache-Control', 'public, max-age=31536000, immutable'],
      ],
      // eslint-disable-next-line @typescript-eslint/require-await -- the reply takes asynchronous chunks alone
      async *chunks() {
        yield bytes;
      },
    });
  }

  /** Only names that the build made are ever opened. */
  #read(name: string): Buffer | undefined {
    this.#names ??= namesIn(this.#folder);
    if (!this.#names.has(name)) return undefined;
    if (!this.#files.has(name)) this.#files.set(name, readFileSync(`${this.#folder}${name}`));
    return this.#files.get(name);
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(
      readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll('\\', '/')),
    );
  } catch {
    return new Set();
  }
}
