import { randomUUID } from 'node:crypto';
import type { HttpResponse } from 'uWebSockets.js';
import { Refusal } from '../errors.ts';
import type { Tenant } from '../model.ts';
import { parseBody, parseQuery } from '../schema/validate.ts';
import { type Admission, admit, type Gate } from './admission.ts';
import { BodyReader } from './body.ts';
import type { RequestHead } from './head.ts';
import type { TenantNames } from './paths.ts';
import type { Log, RequestMetrics, RequestObservation, Tenants } from './ports.ts';
import { internalErrorReply, jsonReply, refusalReply, Reply } from './replies.ts';
import type { Route } from './table.ts';

/** What all exchanges of a server share. */
export interface Front extends Gate {
  readonly tenants: Tenants;
  readonly metrics: RequestMetrics;
  readonly log: Log;
  /** When a request begins: whether it is refused. When it is answered: whether its connection ends too. */
  readonly isDraining: () => boolean;
  /** Called once per exchange, when nothing of it is running any more. */
  readonly ended: () => void;
}

type Admitted = Extract<Admission, { kind: 'admitted' }>;

/** HTTP has no status for a client that hung up; this is what proxies write into their logs. */
const clientClosedRequest = 499;
/** uWebSockets.js gathers a synchronous answer in a buffer of this size; see `write`. */
const corkBufferBytes = 16 * 1024;
/** The labels of the metrics: a client must not be able to make up new ones. */
const verbs: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const shuttingDown = refusalReply(new Refusal('SHUTTING_DOWN'));

/**
 * One request: its head, its body, one operation, one corked write.
 *
 *   mode        holds                                     ends by
 *   new         the head                                  begin → reading, working or done
 *   reading     the response; a body that is arriving     last chunk → working; hang-up → done
 *   working     the response; an operation that runs      its outcome → done; hang-up → abandoned
 *   abandoned   an operation that runs, for nobody        its outcome → done, unsent
 *   done        nothing                                   -
 *
 * Invariants:
 * - The response is written once, by the step that leads to done, and is not touched after a hang-up.
 * - A hang-up stops no operation: what it does is durable, only its answer is lost. The exchange counts as in
 *   flight until the operation has settled, because its database is closed after the last exchange.
 * - The checks run in the contract's order. A body is gathered before its tenant is looked up, but judged after.
 *
 * A streaming route would be a sixth mode beside `reading`: entered from `begin`, it hands chunks to the route
 * instead of a BodyReader, and pauses and resumes the response.
 */
export class Exchange {
  private mode: 'new' | 'reading' | 'working' | 'abandoned' | 'done' = 'new';
  private readonly front: Front;
  private readonly response: HttpResponse;
  private readonly head: RequestHead;
  private readonly startedMs = performance.now();
  private observation: RequestObservation | undefined;
  private body: BodyReader | undefined;

  constructor(front: Front, response: HttpResponse, head: RequestHead) {
    this.front = front;
    this.response = response;
    this.head = head;
  }

  /** new → reading, working or done. Must run inside the native callback: chunks come right after it. */
  begin(): void {
    this.expect('new');
    this.response.onAborted(() => {
      this.hangUp();
    });
    const admission = admit(this.front, this.head);
    this.observe(admission);
    if (this.front.isDraining()) this.finish(shuttingDown);
    else if (admission.kind === 'refused') this.finish(admission.reply);
    else if (this.hasBodyToRead(admission)) this.read(admission);
    else this.work(admission);
  }

  /** new → reading */
  private read(admitted: Admitted): void {
    this.expect('new');
    this.mode = 'reading';
    const body = new BodyReader(this.head.framing.kind === 'sound' ? this.head.framing.bodyBytes : 0);
    this.body = body;
    this.response.onData((chunk, isLast) => {
      if (this.mode !== 'reading') return;
      body.add(chunk, isLast);
      if (isLast) this.work(admitted);
    });
  }

  /** new or reading → working, and from there by the outcome */
  private work(admitted: Admitted): void {
    this.expect('new', 'reading');
    this.mode = 'working';
    void this.outcome(admitted).then(
      (reply) => {
        this.settle(reply);
      },
      (error: unknown) => {
        this.settle(this.failure(error, admitted.route.path));
      },
    );
  }

  /** working → done, or abandoned → done */
  private settle(reply: Reply): void {
    this.expect('working', 'abandoned');
    if (this.mode === 'abandoned') this.end(clientClosedRequest);
    else this.finish(reply);
  }

  /** reading → done, or working → abandoned */
  private hangUp(): void {
    if (this.mode === 'working') this.mode = 'abandoned';
    else if (this.mode === 'reading') this.end(clientClosedRequest);
  }

  /** new or working → done, with the one write */
  private finish(reply: Reply): void {
    this.expect('new', 'working');
    this.write(reply);
    this.end(reply.http);
  }

  /** any → done */
  private end(status: number): void {
    this.mode = 'done';
    this.body = undefined;
    this.observation?.done(status, (performance.now() - this.startedMs) / 1000);
    this.front.ended();
  }

  /** The rest of the checks, then the operation. Each step throws the refusal that ends it. */
  private async outcome({ route, names }: Admitted): Promise<Reply> {
    const tenant = await this.findTenant(route, names);
    if (route.scope === 'app' && names.tenantId !== 'public') throw new Refusal('APP_SPECIFIC_API');
    if (this.head.framing.kind === 'refused') throw new Refusal(this.head.framing.code);
    const result = await route.handle({ names, tenant, input: this.input(route) });
    return result instanceof Reply ? result : jsonReply(result);
  }

  /** A route of the core itself must answer without the database: it looks up only what its path names. */
  private async findTenant(route: Route, { appId, tenantId }: TenantNames): Promise<Tenant | undefined> {
    if (route.scope === 'core' && appId === 'public' && tenantId === 'public') return undefined;
    const tenant = await this.front.tenants.find(appId, tenantId);
    if (tenant === undefined && route.tenantMayBeMissing !== true) {
      throw new Refusal('APP_OR_TENANT_NOT_FOUND');
    }
    return tenant;
  }

  private input({ body, query }: Route): unknown {
    if (query !== undefined) return parseQuery(query, this.head.query);
    if (body === undefined || this.body === undefined) return undefined;
    const { value, escaped } = this.body.json();
    return parseBody(body, value, escaped);
  }

  private hasBodyToRead({ route }: Admitted): boolean {
    return route.body !== undefined && this.head.framing.kind === 'sound';
  }

  private failure(error: unknown, route: string): Reply {
    if (error instanceof Refusal) return refusalReply(error);
    const id = randomUUID();
    this.front.log.error({ err: error, errorId: id, route }, 'a request failed unexpectedly');
    return internalErrorReply(id);
  }

  private observe(admission: Admission): void {
    const path = admission.kind === 'admitted' ? admission.route.path : admission.path;
    const method = verbs.has(this.head.method) ? this.head.method : 'other';
    this.observation = this.front.metrics.request(path ?? 'unmatched', method);
  }

  /**
   * A badly framed request may be followed by bytes that only look like the next one. Closing inside the native
   * callback is put off until everything received has been parsed and answered, unless the answer outgrows the
   * cork buffer: white space behind the JSON makes it do so, and nothing behind it is ever served.
   */
  private write(reply: Reply): void {
    const isBadlyFramed = this.head.framing.kind === 'refused';
    const closes = isBadlyFramed || this.front.isDraining();
    const body = isBadlyFramed ? reply.body.padEnd(corkBufferBytes) : reply.body;
    this.response.cork(() => {
      this.response.writeStatus(reply.statusLine).writeHeader('Content-Type', reply.contentType);
      for (const [name, value] of reply.headers) this.response.writeHeader(name, value);
      // `Connection: close` is added by the library where it closes. A body behind HEAD would be read as the next
      // answer, except on a connection that ends here.
      if (this.head.method === 'HEAD' && !closes) this.endHead(body);
      else this.response.end(body, closes);
    });
  }

  /** Told the length, endWithoutBody goes on waiting for those bytes, and takes the next request as a hang-up. */
  private endHead(body: string): void {
    this.response.writeHeader('Content-Length', String(Buffer.byteLength(body)));
    this.response.endWithoutBody();
  }

  private expect(...modes: Exchange['mode'][]): void {
    if (!modes.includes(this.mode)) throw new Error(`an exchange is ${this.mode}, not ${modes.join(' or ')}`);
  }
}
