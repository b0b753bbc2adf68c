import { Refusal } from '../domain/errors.ts';
import type { Tenant } from '../domain/model.ts';
import { isObject } from '../schema/normalise.ts';
import type { BodyForm } from '../schema/forms.ts';
import { audited } from './audit/act.ts';
import { ExchangeAudit } from './audit/exchange.ts';
import { type Admission, admit, isOfDriver, limitsOf, mayCall, requesterOf } from './authorize.ts';
import { callerLeft, shuttingDown, tooManyBodies, tooManyStreams } from './response/busy.ts';
import { answer, type AnswerForm } from './response/answer.ts';
import { AnswerStream } from './response/answer-stream.ts';
import { BodyReader, jsonOf } from './request/body.ts';
import { BodyStream } from './request/body-stream.ts';
import type { Front } from './front.ts';
import { type Framing, type RequestHead, withinLimits } from './request/head.ts';
import { bytesOf, type NativeResponse } from './front-ends/native.ts';
import { type Outcome, Receive } from './response/outcome.ts';
import { isPublic } from './request/paths.ts';
import { verbLabel } from './request/verbs.ts';
import type { RequestObservation } from './ports.ts';
import { failureReply, Reply, replyOf, type StreamReply } from './response/replies.ts';
import type { FormerRequest, Route } from './routing/route.ts';
import { inFormerWords } from './versions/apply.ts';

type Admitted = Extract<Admission, { kind: 'admitted' }>;
type Mode = 'new' | 'reading' | 'streaming' | 'working' | 'sending' | 'abandoned' | 'done';

/** Proxies log this status for a client that hung up; HTTP has none. */
const clientClosedRequest = 499;

/**
 * One request: its head, its body, one operation, one answer.
 *
 *   mode        holds                                     ends by
 *   new         the head                                  begin → reading, streaming, working or done
 *   reading     the response; a body that is arriving     last chunk → working; hang-up → done
 *   streaming   as working, while its body still arrives  its outcome → sending or done; hang-up → abandoned
 *   working     the response; an operation that runs      its outcome → sending or done; hang-up → abandoned
 *   sending     the response; an answer being made        its end → done; a hang-up ends it too
 *   abandoned   an operation that runs, its client gone   its outcome → done, unsent
 *   done        nothing                                   -
 *
 * Invariants:
 * - The response is answered once, by the step that leaves streaming or working, and is not touched after a hang-up.
 * - After a hang-up durable work completes: only the answer is lost, and a signal informs the operation. The exchange counts as
 *   in flight until the operation has settled, because its database is closed after the last exchange.
 * - The checks run in the contract's order. A body is gathered before its tenant is looked up, but validated after.
 * - An answer before the end of a streamed body, or to a chunked body, closes the connection without serving later requests.
 */
export class Exchange {
  #mode: Mode = 'new';
  readonly #front: Front;
  readonly #response: NativeResponse;
  readonly #head: RequestHead;
  readonly #startedMs = performance.now();
  readonly #departure = new AbortController();
  #framing: Framing;
  #route: Route | undefined;
  readonly #audit: ExchangeAudit;
  #observation: RequestObservation | undefined;
  #body: BodyReader | undefined;
  #bodyStream: BodyStream | undefined;
  #leaveStreams: (() => void) | undefined;
  #leaveBodies: (() => void) | undefined;
  #isBodyRefused = false;
  #answerStream: AnswerStream | undefined;

  constructor(front: Front, response: NativeResponse, head: RequestHead) {
    this.#front = front;
    this.#response = response;
    this.#head = head;
    this.#framing = head.framing;
    this.#audit = new ExchangeAudit(front.audit, response, head);
  }

  /** new → reading, streaming, working or done. Must run inside the native callback: chunks follow it at once. */
  begin(): void {
    this.#expect('new');
    this.#response.onAborted(() => {
      this.#hangUp();
    });
    const admission = admit(this.#front, this.#head);
    this.#observe(admission);
    if (admission.kind === 'admitted') this.#route = admission.route;
    this.#audit.judged(admission);
    this.#framing = withinLimits(this.#head.framing, limitsOf(admission), this.#front.maxBodyBytes);
    if (this.#front.shutdown.aborted) this.#finish(shuttingDown);
    else if (admission.kind === 'refused') this.#finish(admission.reply);
    else if (this.#framing.kind === 'refused') this.#work(admission);
    else if (admission.route.streams === true) this.#stream(admission, this.#framing);
    else if (admission.route.body !== undefined) this.#read(admission, this.#framing);
    else this.#work(admission);
  }

  /** new → reading, or done without memory for a large body */
  #read(admitted: Admitted, framing: Framing): void {
    this.#expect('new');
    const bodyBytes = framing.kind === 'sound' ? framing.bodyBytes : 0;
    const body = new BodyReader(bodyBytes);
    if (!body.isSmall) {
      const memory = this.#front[admitted.hasCoreKey ? 'bodyMemory' : 'unjudgedBodyMemory'];
      this.#leaveBodies = memory.take(bodyBytes);
      if (this.#leaveBodies === undefined) {
        this.#isBodyRefused = true;
        this.#finish(tooManyBodies);
        return;
      }
    }
    this.#mode = 'reading';
    this.#body = body;
    this.#response.onData((chunk, isLast) => {
      if (this.#mode !== 'reading') return;
      body.add(bytesOf(chunk), isLast);
      if (isLast) this.#work(admitted);
    });
  }

  /** new → streaming, or done when no more bodies may stream */
  #stream(admitted: Admitted, framing: Framing): void {
    this.#expect('new');
    const { streamMemory: memory, senderPace: pace, shutdown } = this.#front;
    const bodyBytes = framing.kind === 'sound' ? framing.bodyBytes : undefined;
    this.#leaveStreams = memory.enter(bodyBytes);
    if (this.#leaveStreams === undefined) {
      this.#isBodyRefused = true;
      this.#finish(tooManyStreams);
      return;
    }
    this.#mode = 'streaming';
    this.#bodyStream = new BodyStream(this.#response, { bodyBytes, memory, pace, shutdown });
    this.#run(admitted);
  }

  /** new or reading → working */
  #work(admitted: Admitted): void {
    this.#expect('new', 'reading');
    this.#mode = 'working';
    this.#run(admitted);
  }

  #run(admitted: Admitted): void {
    void this.#outcome(admitted).then(
      (reply) => {
        this.#conclude(reply);
      },
      (error: unknown) => {
        this.#audit.failed(error, admitted);
        this.#conclude(failureReply(error, this.#front.log, this.#route?.path));
      },
    );
  }

  /**
   * uWebSockets.js delays the end of a connection until it has parsed and served everything that came with a body. In a later
   * turn the answer ends it at once.
   */
  #conclude(reply: Reply | StreamReply): void {
    if (this.#framing.kind !== 'chunked') this.#settle(reply);
    else
      setImmediate(() => {
        this.#settle(reply);
      });
  }

  /** streaming, working or abandoned → sending or done */
  #settle(reply: Reply | StreamReply): void {
    this.#expect('streaming', 'working', 'abandoned');
    if (this.#mode === 'abandoned') this.#end(clientClosedRequest);
    else if (reply instanceof Reply) this.#finish(reply);
    else this.#send(reply);
  }

  /** reading → done, or streaming or working → abandoned */
  #hangUp(): void {
    this.#bodyStream?.hangUp();
    this.#answerStream?.hangUp();
    this.#audit.release();
    this.#departure.abort(callerLeft);
    if (this.#mode === 'working' || this.#mode === 'streaming') this.#mode = 'abandoned';
    else if (this.#mode === 'reading') this.#end(clientClosedRequest);
  }

  /** new, streaming, working or sending → done, with the one write */
  #finish(reply: Reply): void {
    this.#expect('new', 'streaming', 'working', 'sending');
    this.#bodyStream?.close();
    const said = isOfDriver(this.#front, this.#head) ? reply.forDriver() : reply;
    answer(this.#response, said, this.#form());
    this.#end(reply.http);
  }

  /** streaming or working → sending, then done when everything is sent or the client is gone */
  #send(reply: StreamReply): void {
    this.#expect('streaming', 'working');
    this.#bodyStream?.close();
    this.#mode = 'sending';
    const stream = new AnswerStream(this.#response, reply, this.#form());
    this.#answerStream = stream;
    void stream.run(this.#front.shutdown).then(
      async () => {
        await this.#audit.act?.endAs(stream.isGone ? 'CALLER_LEFT' : 'OK');
        this.#end(stream.isGone ? clientClosedRequest : 200);
      },
      async (error: unknown) => {
        await this.#audit.act?.fail(error);
        this.#failSending(stream, error);
      },
    );
  }

  /** sending → done. A failure before the first byte is answered, a later one cuts the answer. */
  #failSending(stream: AnswerStream, error: unknown): void {
    const reply = failureReply(error, this.#front.log, this.#route?.path);
    if (stream.isGone) this.#end(clientClosedRequest);
    else if (stream.hasBegun) this.#end(200);
    else this.#finish(reply);
  }

  /** any → done */
  #end(status: number): void {
    this.#mode = 'done';
    this.#audit.release();
    this.#body = undefined;
    this.#leaveStreams?.();
    this.#leaveBodies?.();
    this.#observation?.done(status, (performance.now() - this.#startedMs) / 1000);
    this.#front.ended();
  }

  /** The remaining checks, then the operation. Each step throws the refusal that ends it. */
  async #outcome(admitted: Admitted): Promise<Reply | StreamReply> {
    const { route, names, id } = admitted;
    const tenant = await this.#findTenant(admitted);
    if (route.scope === 'app' && names.tenantId !== 'public') throw new Refusal('APP_SPECIFIC_API');
    if (this.#framing.kind === 'refused') throw new Refusal(this.#framing.code, this.#framing.message);
    if (route.body !== undefined) refuseEncoded(this.#head);
    const act = this.#audit.begin(tenant, admitted);
    const holder = requesterOf(tenant, admitted);
    const context = { names, tenant, id, holder, head: this.#head, signal: this.#departure.signal, act };
    const { handleLarge } = route;
    if (handleLarge !== undefined && this.#body?.isSmall === false) {
      const input = this.#body.bytes();
      return replyOf(await audited(act, input, () => handleLarge({ ...context, input })));
    }
    const input = await this.#input(route);
    const handle = async () => {
      const result = await route.handle({ ...context, input });
      return result instanceof Receive ? this.#receive(result) : result;
    };
    return replyOf(await audited(act, input, handle));
  }

  #receive(receive: Receive): Promise<Outcome> {
    if (this.#bodyStream === undefined) throw new Error('a handler wants a body that does not stream');
    return receive.from(this.#bodyStream);
  }

  /** The core's own routes must answer without the database: they look up only what their path names. */
  async #findTenant(admitted: Admitted): Promise<Tenant | undefined> {
    const { route, names } = admitted;
    if (route.scope === 'core' && isPublic(names)) return undefined;
    const tenant = await this.#front.tenants.find(names.appId, names.tenantId);
    if (!mayCall(tenant, admitted, this.#head)) {
      this.#audit.refused();
      throw new Refusal('INVALID_API_KEY');
    }
    if (tenant === undefined && route.tenantMayBeMissing !== true)
      throw new Refusal('APP_OR_TENANT_NOT_FOUND');
    return tenant;
  }

  #input({ body, query, bodyMayBeMissing, former }: Route): unknown {
    if (query !== undefined) return query.parse(this.#head.query);
    if (body === undefined || this.#body === undefined) return undefined;
    const isMissing = this.#framing.kind === 'sound' && this.#framing.bodyBytes === 0;
    if (bodyMayBeMissing === true && isMissing) return body.parse({}, { escaped: false });
    if (former !== undefined) return formerInput(body, former, this.#body);
    if (!this.#body.isSmall) return this.#front.parseLargeBody(body, this.#body.bytes());
    const { value, ...text } = this.#body.json();
    return body.parse(value, text);
  }

  #observe(admission: Admission): void {
    const path = admission.kind === 'admitted' ? admission.route.path : admission.path;
    this.#observation = this.#front.metrics.request(path ?? 'unmatched', verbLabel(this.#head.method));
  }

  #form(): AnswerForm {
    const isBadlyFramed = this.#framing.kind === 'refused';
    const isChunked = this.#framing.kind === 'chunked';
    const isUnread = this.#isBodyRefused || this.#bodyStream?.isComplete === false;
    return {
      isHead: this.#head.method === 'HEAD',
      isBadlyFramed,
      isChunked,
      closes: isBadlyFramed || isChunked || this.#front.isStopping() || isUnread,
      headers: this.#route?.headers ?? [],
    };
  }

  #expect(...modes: Mode[]): void {
    if (!modes.includes(this.#mode))
      throw new Error(`an exchange is ${this.#mode}, not ${modes.join(' or ')}`);
  }
}

/**
 * For a request of an older version. Bodies over 64 KiB are parsed here too: these routes accept none unless max_body_bytes is
 * raised.
 */
function formerInput(form: BodyForm, former: FormerRequest, body: BodyReader): unknown {
  const { value, ...text } = body.isSmall ? body.json() : jsonOf(body.bytes());
  try {
    return form.parse(isObject(value) ? former.upgrade(value) : value, text);
  } catch (error) {
    throw inFormerWords(error, former);
  }
}

/** @throws Refusal for a compressed JSON body */
function refuseEncoded({ contentEncoding }: RequestHead): void {
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity')
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'A body of JSON must come without Content-Encoding');
}
