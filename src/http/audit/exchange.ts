import type { Tenant } from '../../domain/model.ts';
import { type Admission, requesterOf } from '../authorize.ts';
import { bytesOf, type NativeResponse } from '../front-ends/native.ts';
import type { RequestHead } from '../request/head.ts';
import { parsePath } from '../request/paths.ts';
import { type AuditTrailPort, RequestAct } from './act.ts';
import { readableAddress } from './address.ts';

type Admitted = Extract<Admission, { kind: 'admitted' }>;
type RefusedKey = NonNullable<Extract<Admission, { kind: 'refused' }>['key']>;

/** One exchange's part in the audit log: none, where its route has none and its key is right. */
export class ExchangeAudit {
  readonly #trail: AuditTrailPort;
  readonly #response: NativeResponse;
  readonly #head: RequestHead;
  #address: string | undefined;
  act: RequestAct | undefined;

  constructor(trail: AuditTrailPort, response: NativeResponse, head: RequestHead) {
    this.#trail = trail;
    this.#response = response;
    this.#head = head;
  }

  /** Within the call that brings the request: later the response may be gone, and cannot say from where it is. */
  judged(admission: Admission): void {
    if (admission.kind === 'refused') {
      if (admission.key === undefined) return;
      this.#readAddress();
      this.refused(admission.key);
    } else if (admission.route.audit !== undefined || !admission.hasCoreKey) this.#readAddress();
  }

  /** Counts a key that is not right. */
  refused({ code, who }: RefusedKey): void {
    const { appId = 'public', tenantId = 'public' } = parsePath(this.#head.path) ?? {};
    const act = { appId, tenantId, who, what: 'key.refused', address: this.#address, details: {} };
    this.#trail.count(act, code);
  }

  /** @returns undefined where nothing is kept of the route */
  begin(tenant: Tenant | undefined, admitted: Admitted): RequestAct | undefined {
    const { audit } = admitted.route;
    if (audit === undefined) return undefined;
    const who = requesterOf(tenant, admitted);
    const requester = { who, address: this.#address, names: admitted.names, head: this.#head };
    this.act = new RequestAct(audit, this.#trail, requester);
    return this.act;
  }

  #readAddress(): void {
    this.#address = readableAddress(bytesOf(this.#response.getRemoteAddressAsText()));
  }
}
