/** A directory that is asked by LDAP: RFC 4511, simple binds. */
import { randomUUID } from 'node:crypto';
import { attributesIn, loginPlace } from '../../../config/legacy/ldap.ts';
import { spellEmail } from '../../../domain/email.ts';
import type { LegacySource } from '../../../domain/model.ts';
import type { DirectoryEntry, DirectorySession } from '../../../operations/ports/outgoing.ts';
import type { Dialect, LegacyPerson, Question } from '../dialect.ts';
import { NoAnswer, right, wrong } from '../dialect.ts';
import { present } from '../json.ts';

type Options = LegacySource['options'];

const success = 0;
const sizeLimitExceeded = 4;
/**
 * A directory's results for the bind of one user: constraintViolation and unwillingToPerform (locked or inactive in some),
 * inappropriateAuthentication (there is no password), invalidCredentials. It has answered: others may be asked about.
 */
const refusing = [19, 48, 49, 53];

/** Success means that the password is right. A name that does not lead to exactly one entry is unknown. */
export const ldap: Dialect = async (_send, { options }, question, open) => {
  // With an empty password a directory accepts any name, as an anonymous bind: RFC 4513, section 5.1.2. Some end a password at a
  // NUL.
  if (question.password === '' || question.password.includes('\0')) return wrong;
  return open(options.starttls === 'require', async (session) => {
    await signInAsService(session, options);
    const entry = await entryOf(session, options, question);
    if (entry === undefined) {
      await pretend(session, options);
      return wrong;
    }
    const code = await session.bind(entry.dn, question.password);
    if (code === success) return right(personOf(entry, options, question));
    if (refusing.includes(code)) return wrong;
    throw new NoAnswer(`it answered a user's bind with result ${code}, which is neither a yes nor a no`);
  });
};

async function signInAsService(
  session: DirectorySession,
  { bind_dn: dn = '', bind_password: password = '' }: Options,
): Promise<void> {
  const code = await session.bind(dn, password);
  if (code !== success)
    throw new NoAnswer(
      `it answered the service account with result ${code}: check bind_dn and bind_password`,
    );
}

/** Without a requested limit, by which a server could hide further entries. The bound on answers applies. */
async function entryOf(
  session: DirectorySession,
  options: Options,
  { email }: Question,
): Promise<DirectoryEntry | undefined> {
  const { base_dn: baseDn = '', filter: template = '' } = options;
  const filter = template.replaceAll(loginPlace, () => escaped(email));
  const { code, entries } = await session.search({ baseDn, filter, attributes: attributesOf(options) });
  if (code === sizeLimitExceeded) return undefined;
  if (code !== success)
    throw new NoAnswer(
      `it answered the search with result ${code}: check base_dn, filter and what bind_dn may read`,
    );
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) return undefined;
  if (!entry.dn.includes('=')) throw new NoAnswer('its entry has no DN');
  return entry;
}

/** RFC 4515, section 3. */
function escaped(text: string): string {
  return text.replaceAll(
    /[\0()*\\]/g,
    (special) => `\\${special.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Another bind, so that the number of answers does not show which names are unknown. No entry has that name, or that password. */
async function pretend(session: DirectorySession, { base_dn: baseDn = '' }: Options): Promise<void> {
  await session.bind(`cn=${randomUUID()},${baseDn}`, randomUUID());
}

/** `1.1` requests none, while an empty list would request all. */
function attributesOf({ id_attribute: id, email_attribute: email, name_attributes: names }: Options) {
  const wanted = [id, email, ...attributesIn(names)].filter((name) => name !== undefined);
  return wanted.length > 0 ? wanted : ['1.1'];
}

function personOf(
  { attributes }: DirectoryEntry,
  { id_attribute: id = '', email_attribute: email = '', name_attributes: names }: Options,
  question: Question,
): LegacyPerson {
  const valuesOf = (name: string) => attributes.get(name.toLowerCase()) ?? [];
  const emails = valuesOf(email);
  const known = attributesIn(names).flatMap((name) => {
    const [value] = valuesOf(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return present({
    id: valuesOf(id)[0],
    email: emails.find((each) => spellEmail(each) === question.email) ?? emails[0],
    metadata: known.length > 0 ? Object.fromEntries(known) : undefined,
  });
}
