import { sessionBytes } from '../../domain/access/session-bytes.ts';
import { clientAddressOf } from '../../http/request/client-address.ts';
import { body } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { bodyForms } from '../../schema/forms.ts';
import type { CarryOperations } from './operations.ts';
import { carryBodies } from './schema.ts';

const inBody = bodyForms(carryBodies);
const tag = 'Sessions';
const path = '/recipe/session/carry';
const maxBodyBytes = sessionBytes.payload;

/** Sessions of old systems. */
export function carryRoutes(carries: CarryOperations): Route[] {
  return [
    {
      method: 'POST',
      path,
      scope: 'tenant',
      tag,
      needs: ['sign-in'],
      statuses: ['OK', 'CARRY_REFUSED_ERROR'],
      summary: "Begins a session for a token of an old system's session",
      refusals: [429, 503],
      maxBodyBytes,
      audit: { what: 'session.carry', when: 'hourly' },
      ...body(inBody.carrySession, (tenant, input, { head, wants }) =>
        carries.carry(tenant, input, clientAddressOf(head.clientAddress), wants?.tokenVersion),
      ),
    },
    {
      method: 'POST',
      path: `${path}/import`,
      scope: 'tenant',
      tag,
      statuses: ['OK'],
      needs: ['import'],
      summary: 'Keeps digests of tokens of an old system, 5000 at most, to be exchanged later',
      maxBodyBytes,
      audit: { what: 'import.sessions', when: 'often' },
      ...body(inBody.importSessions, (tenant, input) => carries.importTokens(tenant, input)),
    },
  ];
}
