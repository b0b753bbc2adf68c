import type { Tenant } from '../../domain/model.ts';
import type { TokenVersion } from './access-token.ts';
import { begin } from './begin.ts';
import {
  requireFreePayload,
  type SessionContext,
  type Tokens,
  type Unauthorised,
  unauthorised,
} from './context.ts';
import type { SessionInputs } from './schema.ts';

type CreateSession = SessionInputs['createSession'];

export interface CreateOperations {
  /** @param version of the access token, 5 by default */
  create(tenant: Tenant, input: CreateSession, version?: TokenVersion): Promise<Tokens | Unauthorised>;
}

export async function create(
  context: SessionContext,
  tenant: Tenant,
  input: CreateSession,
  version: TokenVersion,
): Promise<Tokens | Unauthorised> {
  const { userId, userDataInJWT: payload, useDynamicSigningKey = true } = input;
  requireFreePayload(payload, version);
  const begun = await begin(context, {
    tenant,
    antiCsrf: input.enableAntiCsrf,
    usesStaticKey: !useDynamicSigningKey,
    payload,
    data: input.userDataInDatabase,
    version,
  });
  const user = await context.sessions.create({ ...begun.row, userId });
  if (user === 'disabled') return unauthorised('The user is disabled');
  context.activity.touch(tenant, user.recipeUserId);
  return begun.tokens(user);
}
