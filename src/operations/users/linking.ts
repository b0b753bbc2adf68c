import { Refusal } from '../../domain/errors.ts';
import type { Tenant, User } from '../../domain/model.ts';
import type { LinkUsersInput, RecipeUserInput } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { LinkOutcome, PrimaryOutcome, SharedInfo } from '../ports/ports.ts';

/** A status with its fields. */
export interface LinkingReply {
  readonly status: string;
  readonly [field: string]: unknown;
}

export interface LinkingOperations {
  mayBePrimary(tenant: Tenant, query: RecipeUserInput): Promise<LinkingReply>;
  makePrimary(tenant: Tenant, input: RecipeUserInput): Promise<LinkingReply>;
  mayLink(tenant: Tenant, query: LinkUsersInput): Promise<LinkingReply>;
  link(tenant: Tenant, input: LinkUsersInput): Promise<LinkingReply>;
  unlink(tenant: Tenant, input: RecipeUserInput): Promise<LinkingReply>;
}

/** Links login methods to one user. */
export function linkingOperations({ stores }: OperationsContext): LinkingOperations {
  const { linking, users } = stores;
  return {
    mayBePrimary: async ({ appNo }, { recipeUserId }) =>
      primaryReply(await linking.mayBePrimary(appNo, recipeUserId)),

    async makePrimary({ appNo }, { recipeUserId }) {
      const reply = primaryReply(await linking.makePrimary(appNo, recipeUserId));
      return reply.status === 'OK' ? { ...reply, user: await userOf(appNo, recipeUserId) } : reply;
    },

    mayLink: async ({ appNo }, query) => linkReply(await linking.mayLink({ appNo, ...query })),

    async link({ appNo }, input) {
      const outcome = await linking.link({ appNo, ...input });
      const reply = linkReply(outcome);
      if (outcome.outcome !== 'linked' && outcome.outcome !== 'linked-to-another') return reply;
      return { ...reply, user: await userOf(appNo, outcome.primaryUserId) };
    },

    async unlink({ appNo }, { recipeUserId }) {
      const unlinked = await linking.unlink(appNo, recipeUserId);
      if (!unlinked) throw new Refusal('UNKNOWN_USER_ID');
      const { wasLinked, wasRemoved } = unlinked;
      return { status: 'OK', wasRecipeUserDeleted: wasRemoved, wasLinked };
    },
  };

  /** @throws Refusal if the user was removed meanwhile */
  async function userOf(appNo: number, id: string): Promise<User> {
    const user = await users.findUser(appNo, id);
    if (!user) throw new Refusal('UNKNOWN_USER_ID');
    return user;
  }
}

function primaryReply(outcome: PrimaryOutcome): LinkingReply {
  switch (outcome.outcome) {
    case 'primary':
      return { status: 'OK', wasAlreadyAPrimaryUser: outcome.wasPrimary };
    case 'unknown-user':
      throw new Refusal('UNKNOWN_USER_ID');
    case 'linked':
      return {
        status: 'RECIPE_USER_ID_ALREADY_LINKED_WITH_PRIMARY_USER_ID_ERROR',
        primaryUserId: outcome.primaryUserId,
        description: 'This user ID is already linked to another user ID',
      };
    case 'info-taken':
      return infoTaken(outcome);
  }
}

function linkReply(outcome: LinkOutcome): LinkingReply {
  switch (outcome.outcome) {
    case 'linked':
      return { status: 'OK', accountsAlreadyLinked: outcome.wasLinked };
    case 'unknown-user':
      throw new Refusal('UNKNOWN_USER_ID');
    case 'not-primary':
      return { status: 'INPUT_USER_IS_NOT_A_PRIMARY_USER' };
    case 'linked-to-another':
      return {
        status: 'RECIPE_USER_ID_ALREADY_LINKED_WITH_ANOTHER_PRIMARY_USER_ID_ERROR',
        primaryUserId: outcome.primaryUserId,
        description: 'The input recipe user ID is already linked to another user ID',
      };
    case 'info-taken':
      return infoTaken(outcome);
  }
}

function infoTaken({ primaryUserId, info }: { primaryUserId: string; info: SharedInfo }): LinkingReply {
  return {
    status: 'ACCOUNT_INFO_ALREADY_ASSOCIATED_WITH_ANOTHER_PRIMARY_USER_ID_ERROR',
    primaryUserId,
    description: sharedInfoReason(info),
  };
}

export function sharedInfoReason(info: SharedInfo): string {
  return `This user's ${info} is already associated with another user ID`;
}
