import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import { type Admission, requesterOf, unknownKey } from '../authorize.ts';
import type { NativeResponse } from '../front-ends/native.ts';
import type { RequestHead } from '../request/head.ts';
import { parsePath } from '../request/paths.ts';
import { type AuditTrailPort, RequestAct, type RouteAudit } from './act.ts';
import { readableAddress } from './address.ts';
import { atEndOfTurn } from './end-of-turn.ts';

type Admitted = Extract<Admission, { kind: 'admitted' }>;
type RefusedKey = NonNullable<Extract<Admission, { kind: 'refused' }>['key']>;

/** The audit entries of one exchange: none if its route has none and its key is right. */
export class ExchangeAudit {
  readonly #trail: AuditTrailPort;
  readonly #head: RequestHead;
  /** Undefined once it must not be used any more. */
  #response: NativeResponse | undefined;
  #address: string | undefined;
  act: RequestAct | undefined;

  constructor(trail: AuditTrailPort, response: NativeResponse, head: RequestHead) {
    this.#trail = trail;
    this.#response = response;
    this.#head = head;
  }

  /**
   * If the exchange may be logged, reads the address before its caller can disconnect. This costs a system call, a sixth of a
   * request that is refused at once, so for acts that are logged only on success it waits until the end of the turn.
   */
  judged(admission: Admission): void {
    if (admission.kind === 'refused') {
      if (admission.key !== undefined) this.refused(admission.key);
    } else if (!admission.hasCoreKey) this.address();
    else if (admission.route.audit?.when === 'often') atEndOfTurn(this);
    else if (isKept(admission.route.audit)) this.address();
  }

  /** The end of the turn in which the request arrived. */
  turnEnds(): void {
    this.address();
  }

  /** Counts a key that turned out not to open the route. */
  failed(error: unknown, { holder }: Admitted): void {
    if (error instanceof Refusal && error.code === 'KEY_SCOPE_MISSING')
      this.refused({ code: error.code, who: holder?.name ?? unknownKey.who });
  }

  /** Counts an invalid key. */
  refused({ code, who }: RefusedKey = unknownKey): void {
    const { appId = 'public', tenantId = 'public' } = parsePath(this.#head.path) ?? {};
    const act = { appId, tenantId, who, what: 'key.refused', address: this.address(), details: {} };
    this.#trail.count(act, code);
  }

  /** @returns undefined if the route has no entries */
  begin(tenant: Tenant | undefined, admitted: Admitted): RequestAct | undefined {
    const { audit } = admitted.route;
    if (audit === undefined) return undefined;
    const { name: who } = requesterOf(tenant, admitted);
    const requester = { who, from: this, names: admitted.names, head: this.#head };
    this.act = new RequestAct(audit, this.#trail, requester);
    return this.act;
  }

  /** The response was answered, or its caller has disconnected. */
  release(): void {
    this.#response = undefined;
  }

  /** Of the other end of the connection. */
  address(): string | undefined {
    if (this.#address === undefined && this.#response !== undefined)
      this.#address = readableAddress(this.#response.getRemoteAddress());
    return this.#address;
  }
}

/** Whether its entries have an address. */
function isKept(audit: RouteAudit | undefined): boolean {
  return audit !== undefined && audit.when !== 'hourly';
}
