/** Users as the console shows them: emails, phone numbers and ids of providers masked, until a person asks for them. */
import { masked } from '../../domain/masked.ts';
import { spellEmail } from '../../domain/email.ts';
import { markedSource } from '../../domain/legacy-mark.ts';
import type { AuditEntry, AuditStore, Details } from '../../domain/access/act.ts';
import type { LoginMethod, Tenant, User } from '../../domain/model.ts';
import { storedKind } from '../../hashes/recognise.ts';
import type { Operations as HeartOperations } from '../../operations/operations.ts';
import type { FactStore, MethodFacts } from './store/facts.ts';
import type { Reason } from './model.ts';
import { reasons } from './why.ts';
import type { ConsoleInputs } from './schema.ts';

const unknown = { status: 'UNKNOWN_USER_ID_ERROR' } as const;
const shownEntries = 50;
/** Entries of the audit log that are looked through for those of one user. */
const readEntries = 1000;
const mostShown = 100;

interface Parts {
  readonly facts: FactStore;
  readonly audit: Pick<AuditStore, 'list'>;
}

type Heart = Pick<HeartOperations, 'users' | 'restrictions'>;

/** One login method, without its hash. */
type MethodView = Omit<MethodFacts, 'passwordHash'> & {
  readonly hashKind: string | undefined;
  readonly oldSystem: string | undefined;
};

export interface PersonView {
  readonly status: 'OK';
  readonly user: User;
  readonly methods: readonly MethodView[];
  readonly reasons: readonly Reason[];
  readonly history: readonly AuditEntry[];
}

export function peopleOperations({ facts, audit }: Parts) {
  return {
    /** A page of all; the users with this id, email or phone number; or those whose email or phone number begins with the text. */
    async search(heart: Heart, tenant: Tenant, input: ConsoleInputs['searchUsers'], signal: AbortSignal) {
      const { text = '', paginationToken, limit = 50 } = input;
      const sought = text.trim();
      const exact = sought === '' ? [] : await usersWith(heart, tenant, sought);
      if (exact.length > 0) return { status: 'OK', users: exact.map(maskedUser) };
      const query =
        sought === '' ? { limit, ...(paginationToken !== undefined && { paginationToken }) } : by(sought);
      const { users, ...page } = await heart.users.list(
        tenant,
        { timeJoinedOrder: 'DESC', ...query },
        signal,
      );
      return { ...page, users: users.slice(0, mostShown).map(maskedUser), isCut: users.length > mostShown };
    },

    async show(
      heart: Heart,
      tenant: Tenant,
      { userId }: ConsoleInputs['showUser'],
    ): Promise<PersonView | typeof unknown> {
      const user = await userOf(heart, tenant, userId);
      if (user === undefined) return unknown;
      const ids = user.loginMethods.map(({ recipeUserId }) => recipeUserId);
      const [found, restricted, entries] = await Promise.all([
        facts.of(tenant.appNo, ids),
        heart.restrictions.get(tenant, { userId }),
        audit.list({ ...ofApp(tenant), limit: readEntries }),
      ]);
      const known = [user.id, ...ids, ...found.map(({ coreId }) => coreId)];
      const restrictions = 'isDisabled' in restricted ? restricted : free;
      return {
        status: 'OK',
        user: maskedUser(user),
        methods: found.map(viewOf),
        reasons: reasons(user, restrictions, found.filter(hasPassword).map(passwordFacts)),
        history: entries
          .filter((entry) => isAbout(entry, known))
          .slice(0, shownEntries)
          .map(maskedEntry),
      };
    },

    /** The user as it is: the route has an entry in the audit log. */
    async reveal(heart: Heart, tenant: Tenant, { userId }: ConsoleInputs['revealUser']) {
      const user = await userOf(heart, tenant, userId);
      return user === undefined ? unknown : { status: 'OK', user };
    },

    /** The newest entries, with emails masked. */
    async history(tenant: Tenant, { paginationToken }: ConsoleInputs['consoleHistory']) {
      const found = await audit.list({ ...ofApp(tenant), before: paginationToken, limit: 101 });
      const entries = found.slice(0, 100).map(maskedEntry);
      const next = found.length > entries.length ? { nextPaginationToken: entries.at(-1)?.id } : {};
      return { status: 'OK', entries, ...next };
    },
  };
}

async function userOf(heart: Heart, tenant: Tenant, userId: string): Promise<User | undefined> {
  const found = await heart.users.get(tenant, { userId });
  return found.status === 'OK' ? found.user : undefined;
}

/** Those with this id, or this whole email or phone number: an index finds them, while a search of beginnings reads all users. */
async function usersWith(heart: Heart, tenant: Tenant, text: string): Promise<readonly User[]> {
  const user = await userOf(heart, tenant, text);
  if (user !== undefined) return [user];
  const { phone, email = '' } = by(text);
  const info = phone === undefined ? { email: spellEmail(email) } : { phoneNumber: phone };
  return (await heart.users.listByAccountInfo(tenant, info)).users;
}

export type PeopleOperations = ReturnType<typeof peopleOperations>;

const free = { isDisabled: false, isHeld: false, secondFactors: [], requiredActions: [] } as const;

function ofApp({ appId }: Tenant) {
  const app = appId === 'public' ? undefined : appId;
  return { appId: app, since: undefined, who: undefined, what: undefined, before: undefined };
}

function by(text: string): { readonly email?: string; readonly phone?: string } {
  return /^\+?[\d\s()./-]{4,}$/.test(text) ? { phone: text } : { email: text };
}

/** A copy without what identifies a person. */
export function maskedUser(user: User): User {
  return {
    ...user,
    emails: user.emails.map(masked),
    phoneNumbers: user.phoneNumbers.map(masked),
    thirdParty: user.thirdParty.map(({ id, userId }) => ({ id, userId: masked(userId) })),
    loginMethods: user.loginMethods.map(maskedMethod),
  };
}

function maskedMethod(method: LoginMethod): LoginMethod {
  const { email, phoneNumber, thirdParty } = method;
  return {
    ...method,
    ...(email !== undefined && { email: masked(email) }),
    ...(phoneNumber !== undefined && { phoneNumber: masked(phoneNumber) }),
    ...(thirdParty && { thirdParty: { id: thirdParty.id, userId: masked(thirdParty.userId) } }),
  };
}

const personal = new Set(['email', 'newEmail', 'phoneNumber', 'client']);

function maskedEntry(entry: AuditEntry): AuditEntry {
  const details: Details = Object.fromEntries(
    Object.entries(entry.details).map(([name, value]) => [
      name,
      personal.has(name) && typeof value === 'string' ? masked(value) : value,
    ]),
  );
  return { ...entry, details };
}

function isAbout({ details }: AuditEntry, ids: readonly string[]): boolean {
  return Object.values(details).some((value) => typeof value === 'string' && ids.includes(value));
}

function hasPassword({ passwordHash }: MethodFacts): boolean {
  return passwordHash !== null;
}

function viewOf({ passwordHash, ...rest }: MethodFacts): MethodView {
  return { ...rest, ...kindOf(passwordHash) };
}

function kindOf(hash: string | null): Pick<MethodView, 'hashKind' | 'oldSystem'> {
  const oldSystem = hash === null ? undefined : markedSource(hash);
  const isHash = hash !== null && oldSystem === undefined;
  return { hashKind: isHash ? storedKind(hash) : undefined, oldSystem };
}

function passwordFacts(facts: MethodFacts) {
  const { hashKind: kind, oldSystem } = kindOf(facts.passwordHash);
  const { provenAt, refusedAt, refusals, passwordChangedAt, importJob } = facts;
  return {
    kind,
    oldSystem,
    hasHash: oldSystem === undefined,
    provenAt,
    refusedAt,
    refusals,
    passwordChangedAt,
    isImported: importJob !== null,
  };
}
