import type { IncomingMessage } from 'node:http';
import type { AbsentUser } from '../../imports/absence.ts';
import type { Reject } from '../../imports/model.ts';
import { printable } from '../output/format.ts';
import { bodyOf, type HttpClient, type HttpRequest, textOf } from './http.ts';
import type { ConflictView, HashReportView, JobView, ResealView, UndoView } from './views.ts';
import { linesOf } from '../input/lines.ts';

interface Call extends Pick<HttpRequest, 'method' | 'path' | 'signal'> {
  readonly input?: object;
}

interface JobsPage {
  readonly jobs: readonly JobView[];
  readonly nextPaginationToken?: string;
}

/** For answers that need no work. An undo may be silent for as long as an import took. */
const quick = { method: 'GET', idleTimeoutMs: 60_000 } as const;

/** The core answered with a refusal. */
export class CoreRefusal extends Error {
  override readonly name = 'CoreRefusal';
  readonly http: number;
  readonly code: string;
  /** Seconds that the core asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(http: number, code: string, message: string, retryAfter?: number) {
    super(message);
    this.http = http;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** The core's JSON routes. Methods throw CoreRefusal and ConnectionBroken; `commandErrorOf` turns either into messages. */
export class CoreClient {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  async job(id: string, signal?: AbortSignal): Promise<JobView> {
    return (await this.#json<{ job: JobView }>({ ...quick, path: jobPath(id), signal })).job;
  }

  /** Newest first, the first page; a series by its newest job. */
  async jobs(signal?: AbortSignal): Promise<readonly JobView[]> {
    const answer = await this.#json<JobsPage>({
      ...quick,
      path: '/bulk-import/jobs',
      signal,
    });
    return answer.jobs;
  }

  /** Newest first, page by page as they are iterated. An older core knows no series, and lists all jobs: see `series` of each. */
  async *jobsOf(series: string, signal: AbortSignal): AsyncGenerator<readonly JobView[]> {
    for (let token: string | undefined = ''; token !== undefined;) {
      const query = new URLSearchParams({
        series,
        limit: '500',
        ...(token !== '' && { paginationToken: token }),
      });
      const path = `/bulk-import/jobs?${query.toString()}`;
      const page: JobsPage = await this.#json<JobsPage>({ ...quick, path, signal });
      yield page.jobs;
      token = page.nextPaginationToken;
    }
  }

  /** Stops the job; committed records remain. */
  async cancel(id: string, signal: AbortSignal): Promise<void> {
    const headers = { 'tus-resumable': '1.0.0' };
    const response = await this.#http.send({ method: 'DELETE', path: jobPath(id), headers, signal });
    if (response.statusCode !== 204 && response.statusCode !== 200) throw await refusalOf(response);
    await textOf(response);
  }

  /** Removes the personal data of an ended job; its counts remain. */
  async purge(id: string, signal: AbortSignal): Promise<void> {
    const response = await this.#http.send({ method: 'DELETE', path: `${jobPath(id)}?purge=true`, signal });
    if (response.statusCode !== 204) throw await refusalOf(response);
    await textOf(response);
  }

  async undo(id: string, force: boolean, signal: AbortSignal): Promise<UndoView> {
    const body = JSON.stringify({ force });
    const path = `${jobPath(id)}/undo`;
    return this.#json<UndoView>({ method: 'POST', path, headers: jsonHeaders(body), body, signal });
  }

  /** Of all apps. */
  async reseal(signal: AbortSignal): Promise<ResealView> {
    return this.#json<ResealView>({ method: 'POST', path: '/config/encryption-keys/reseal', signal });
  }

  /** Silent while the core counts, which takes seconds for a million users. @param asked query parameters */
  async hashReport(asked: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HashReportView> {
    const query = new URLSearchParams(asked).toString();
    const path = `/recipe/user/passwordhash/report${query === '' ? '' : `?${query}`}`;
    return this.#json<HashReportView>({ method: 'GET', path, signal });
  }

  /** For a route that few commands use. @param input the body, if it has one */
  async call<Answer>({ input, ...asked }: Call): Promise<Answer> {
    const body = input === undefined ? undefined : JSON.stringify(input);
    return this.#json<Answer>({ ...asked, ...(body !== undefined && { headers: jsonHeaders(body), body }) });
  }

  /** In the order of their lines, fetched while they are iterated. */
  rejects(id: string, signal: AbortSignal): AsyncGenerator<Reject> {
    return this.#lines<Reject>(`${jobPath(id)}/rejects`, signal);
  }

  /** As rejects. */
  conflicts(id: string, signal: AbortSignal): AsyncGenerator<ConflictView> {
    return this.#lines<ConflictView>(`${jobPath(id)}/conflicts`, signal);
  }

  /** As rejects, in the order of their core ids. */
  absentUsers(id: string, signal: AbortSignal): AsyncGenerator<AbsentUser> {
    return this.#lines<AbsentUser>(`${jobPath(id)}/absent`, signal);
  }

  /** Every user as NDJSON. @param changedSince a job or a time: only users who were created or changed here since */
  async export(signal: AbortSignal, changedSince?: string): Promise<AsyncIterable<Uint8Array>> {
    const query = changedSince === undefined ? '' : `?${new URLSearchParams({ changedSince }).toString()}`;
    return bodyOf(await this.#send({ method: 'GET', path: `/bulk-export/users${query}`, signal }));
  }

  /** The list of the outcomes of all lines, for an audit of a whole file. */
  async outcomes(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return bodyOf(await this.#send({ method: 'GET', path: `${jobPath(id)}/receipt/outcomes`, signal }));
  }

  /** What the receipt of a closed move is about. */
  async moveEntries(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return bodyOf(await this.#send({ method: 'GET', path: '/move/receipt/entries', signal }));
  }

  async *#lines<Item>(path: string, signal: AbortSignal): AsyncGenerator<Item> {
    const response = await this.#send({ method: 'GET', path, signal });
    for await (const line of linesOf(bodyOf(response))) {
      const text = Buffer.from(line).toString('utf8');
      if (text.trim() !== '') yield JSON.parse(text) as Item;
    }
  }

  async #send(request: HttpRequest): Promise<IncomingMessage> {
    const response = await this.#http.send(request);
    if (response.statusCode !== 200) throw await refusalOf(response);
    return response;
  }

  async #json<Answer>(request: HttpRequest): Promise<Answer> {
    const text = await textOf(await this.#send(request));
    const value = parsed(text);
    if (value === undefined) throw notACore();
    return value as Answer;
  }
}

function jobPath(id: string): string {
  return `/bulk-import/jobs/${encodeURIComponent(id)}`;
}

function jsonHeaders(body: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
}

function notACore(): CoreRefusal {
  return new CoreRefusal(404, 'NOT_A_CORE', 'what answers there is no carryover core');
}

/** Reads an unsuccessful answer. The core's own refusals state the reason in `message`. */
export async function refusalOf(response: IncomingMessage): Promise<CoreRefusal> {
  const retryAfter = Number(response.headers['retry-after']);
  const value = parsed(await textOf(response).catch(() => ''));
  const http = response.statusCode ?? 0;
  const code = typeof value?.status === 'string' ? value.status : `HTTP_${http}`;
  const message = typeof value?.message === 'string' ? value.message : `the core answered ${http}`;
  return new CoreRefusal(
    http,
    code,
    printable(message),
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
