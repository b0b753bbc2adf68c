/** Entries of requests in the audit log. */
import { Refusal } from '../../domain/errors.ts';
import type { Act, Details } from '../../domain/access/act.ts';
import type { AuditTrail, BegunAct } from '../../process/audit/trail.ts';
import { clientAddressOf } from '../request/client-address.ts';
import type { RequestHead } from '../request/head.ts';
import type { TenantNames } from '../request/paths.ts';
import type { Outcome } from '../response/outcome.ts';
import { Reply, StreamReply } from '../response/replies.ts';

/** The audit entries of a route's requests. */
export interface RouteAudit {
  /** The kind of act, such as `user.remove`. */
  readonly what: string;
  /** Fields of the input that name the object of the act; for an object, the names of its fields. */
  readonly fields?: readonly string[];
  /** Fields of the input whose presence alone is logged, under `changes`: their values are secret or personal. */
  readonly changes?: readonly string[];
  /** Field of the result with the number of affected objects. */
  readonly counts?: string;
  /**
   * - reported: logged when the handler reports details, once the act is done.
   * - often: counted by key and address, and written some seconds later.
   * - hourly: counted by key alone, in one entry an hour. Costs a request no system call and no statement.
   * - granted: logged once the act is done; refusals are counted as hourly.
   * - Left out: logged before anything is done, and its outcome before it is answered.
   */
  readonly when?: 'reported' | 'often' | 'hourly' | 'granted';
}

export type AuditTrailPort = Pick<AuditTrail, 'begin' | 'keep' | 'count' | 'countByHour'>;

/** The sender of a request. */
export interface Requester {
  readonly who: string;
  readonly from: { address(): string | undefined };
  readonly names: TenantNames;
  readonly head: Pick<RequestHead, 'clientAddress'>;
}

/** One request's entry in the audit log. `report` is for handlers. */
export class RequestAct {
  readonly #audit: RouteAudit;
  readonly #trail: AuditTrailPort;
  readonly #requester: Requester;
  #begun: BegunAct | undefined;
  #details: Details = {};
  #count: number | undefined;
  #isReported = false;

  constructor(audit: RouteAudit, trail: AuditTrailPort, requester: Requester) {
    this.#audit = audit;
    this.#trail = trail;
    this.#requester = requester;
  }

  /** Details that only the handler knows. */
  report(details: Details, count?: number): void {
    this.#isReported = true;
    this.#details = { ...this.#details, ...details };
    this.#count = count ?? this.#count;
  }

  /** Whether acts of this kind are counted: nothing is logged before the act is done, nor if it fails. */
  get isCounted(): boolean {
    return this.#audit.when === 'often' || this.#audit.when === 'hourly';
  }

  /** For a counted act, once it is done. */
  count(outcome: Exclude<Outcome, StreamReply>): void {
    const word = this.#heard(outcome);
    if (word !== 'OK') return;
    if (this.#audit.when === 'hourly') this.#countByHour(word);
    else this.#trail.count(this.#act({}), word, this.#count);
  }

  /** @throws Refusal when the act cannot be logged: then it must not be done */
  async begin(input: unknown): Promise<void> {
    const { fields = [], changes = [] } = this.#audit;
    this.#details = {
      ...clientOf(this.#requester.head),
      ...fieldsOf(input, fields),
      ...changesOf(input, changes),
    };
    if (this.#audit.when === undefined) this.#begun = await this.#trail.begin(this.#act(this.#details));
  }

  async end(outcome: Exclude<Outcome, StreamReply>): Promise<void> {
    await this.endAs(this.#heard(outcome));
  }

  async fail(error: unknown): Promise<void> {
    await this.endAs(error instanceof Refusal ? error.code : 'INTERNAL_ERROR');
  }

  /** @param outcome a status word */
  async endAs(outcome: string): Promise<void> {
    const { when } = this.#audit;
    if (when === 'granted' && outcome !== 'OK') this.#countByHour(outcome);
    else if (when === 'granted' || (when === 'reported' && this.#isReported))
      await this.#trail.keep(this.#act(this.#details), outcome, this.#count);
    await this.#begun?.end(outcome, { count: this.#count, details: this.#details });
  }

  /** @returns its status word; the number of affected objects is remembered */
  #heard(outcome: Exclude<Outcome, StreamReply>): string {
    if (outcome instanceof Reply) return wordOf(outcome);
    const result = outcome as Readonly<Record<string, unknown>>;
    const counted = result[this.#audit.counts ?? ''];
    if (typeof counted === 'number') this.#count = counted;
    return typeof result.status === 'string' ? result.status : 'OK';
  }

  /** Reading the address would be a system call. */
  #countByHour(outcome: string): void {
    const { who, names } = this.#requester;
    const { appId, tenantId } = names;
    const act = { appId, tenantId, who, what: this.#audit.what, address: undefined, details: {} };
    this.#trail.countByHour(act, outcome);
  }

  #act(details: Details): Act {
    const { who, from, names } = this.#requester;
    const { appId, tenantId } = names;
    return { appId, tenantId, who, what: this.#audit.what, address: from.address(), details };
  }
}

/** Runs a route's handler, and writes its entries to the audit log. */
export function audited(
  act: RequestAct | undefined,
  input: unknown,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  if (act === undefined) return run();
  return act.isCounted ? counted(act, run) : kept(act, input, run);
}

async function counted(act: RequestAct, run: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await run();
  if (!(outcome instanceof StreamReply)) act.count(outcome);
  return outcome;
}

async function kept(act: RequestAct, input: unknown, run: () => Promise<Outcome>): Promise<Outcome> {
  await act.begin(input);
  try {
    const outcome = await run();
    if (!(outcome instanceof StreamReply)) await act.end(outcome);
    return outcome;
  } catch (error) {
    await act.fail(error);
    throw error;
  }
}

function wordOf({ http }: Reply): string {
  return http < 300 ? 'OK' : `HTTP ${http}`;
}

const longestText = 256;
const mostNames = 50;

function fieldsOf(input: unknown, names: readonly string[]): Details {
  if (typeof input !== 'object' || input === null || ArrayBuffer.isView(input)) return {};
  const given = names.flatMap((name) => {
    const value = detailOf((input as Readonly<Record<string, unknown>>)[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** null is a change too: it removes a value. */
function changesOf(input: unknown, names: readonly string[]): Details {
  if (names.length === 0 || typeof input !== 'object' || input === null) return {};
  const given = input as Readonly<Record<string, unknown>>;
  return { changes: names.filter((name) => given[name] !== undefined) };
}

function detailOf(value: unknown): Details[string] | undefined {
  if (typeof value === 'string') return value.slice(0, longestText);
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value)
    .slice(0, mostNames)
    .map((name) => name.slice(0, longestText));
}

function clientOf({ clientAddress }: Requester['head']): Details {
  const client = clientAddressOf(clientAddress);
  return client === undefined ? {} : { client };
}
