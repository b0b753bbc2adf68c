import type { ContactChange, ContactOutcome } from '../model.ts';
import { identityKey, identityKind } from '../../../domain/identity.ts';
import { plainArray } from '../../../domain/pg-array.ts';
import type { Database, Query } from '../../../database/database.ts';
import { endResets, holdTenants, noteEmail } from '../../../store/users/change-user.ts';
import { rivalOf } from '../../../store/users/linking/rivals.ts';
import { removeDevicesOf } from './remove.ts';

interface Subject {
  readonly seen_id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly primary_user_id: string | null;
}

const lockSubject = `
  select email, phone, primary_user_id, coalesce(external_id, user_id::text) as seen_id
  from users where app_no = $1 and user_id = $2 for no key update`;

/**
 * Removes the former look-up rows, of the key $3, and adds the new ones, of $4: fewer than there are tenants ($5) if another user
 * has the contact. One that an import stated still leads its records here.
 */
const moveIdentities = (kind: number): string => `
  with former as (
    delete from identities d where d.app_no = $1 and d.kind = ${kind} and d.key = $3::uuid and d.user_id = $2
    returning d.tenant_no, d.kind, d.key
  ),
  left_behind as (
    insert into former_identities (app_no, tenant_no, kind, key, user_id)
    select $1, f.tenant_no, f.kind, f.key, $2
    from former f join users m on m.app_no = $1 and m.user_id = $2 and base_states(m.base, f.kind, f.key)
    on conflict (app_no, kind, key, tenant_no) do update set user_id = excluded.user_id
  )
  insert into identities (app_no, tenant_no, kind, key, user_id)
  select $1, t.tenant_no, ${kind}, $4::uuid, $2 from unnest($5::int[]) t (tenant_no)
  where $4::uuid is not null
  order by t.tenant_no
  on conflict do nothing
  returning tenant_no`;

/** A verified former email is remembered; changing back to one restores it. */
const setContacts = `
  with former as materialized (
    select app_no, coalesce(external_id, user_id::text) as seen_id, email, email_verified
    from users where app_no = $1 and user_id = $2
  ),
  remembered as (
    insert into verified_emails (app_no, user_id, email)
    select app_no, seen_id, email from former where email_verified and email <> coalesce($3::text, '')
    on conflict do nothing
  )
  update users u set email = $3::text, phone = $4::text, email_verified = case
    when f.email is not distinct from $3 then f.email_verified
    else exists (
      select 1 from verified_emails v where v.app_no = f.app_no and v.user_id = f.seen_id and v.email = $3
    )
  end
  from former f
  where u.app_no = $1 and u.user_id = $2`;

/** Rolls back the writes before another user was found to have the contact. */
class Taken extends Error {
  readonly outcome: ContactOutcome;
  constructor(outcome: ContactOutcome) {
    super(outcome);
    this.outcome = outcome;
  }
}

/** Changes the contacts by which a passwordless login method is found, and removes the codes for the former and the new ones. */
export async function changeContacts(database: Database, change: ContactChange): Promise<ContactOutcome> {
  try {
    return await database.transaction((query) => apply(query, change));
  } catch (error) {
    if (error instanceof Taken) return error.outcome;
    throw error;
  }
}

async function apply(query: Query, change: ContactChange): Promise<ContactOutcome> {
  const { appNo, userId } = change;
  const places = await query<{ tenant_no: number }>(holdTenants, [appNo, userId]);
  const [subject] = await query<Subject>(lockSubject, [appNo, userId]);
  if (!subject) return 'unknown-user';
  const { email = subject.email, phoneNumber: phone = subject.phone } = change;
  if (email === null && phone === null) return 'no-contact';
  const isNew = { email: email !== subject.email, phone: phone !== subject.phone };
  if (!isNew.email && !isNew.phone) return 'changed';
  const asked = { email: isNew.email ? email : null, phone: isNew.phone ? phone : null };
  const refusal = await primaryUserWith(query, appNo, subject, asked);
  if (refusal) return refusal;
  const tenants = [...new Set(places.map(({ tenant_no: tenantNo }) => tenantNo))];
  const move = mover(query, change, tenants);
  if (isNew.email) await move('email', subject.email, email);
  if (isNew.phone) await move('phone', subject.phone, phone);
  await query(setContacts, [appNo, userId, email, phone]);
  await query(noteEmail, [appNo, userId]);
  if (isNew.email) await query(endResets, [appNo, subject.seen_id, subject.primary_user_id]);
  const contacts = { emails: [subject.email, email], phones: [subject.phone, phone] };
  await removeDevicesOf(query, { appNo, tenants, ...contacts });
  return 'changed';
}

/** Two users that the application separates must not get a common contact. */
async function primaryUserWith(
  query: Query,
  appNo: number,
  { primary_user_id: primary }: Subject,
  { email, phone }: Pick<Subject, 'email' | 'phone'>,
): Promise<ContactOutcome | undefined> {
  if (primary === null) return undefined;
  const heads = [primary];
  if (email !== null && (await rivalOf(query, { appNo, heads, newEmail: email })))
    return 'email-of-other-primary-user';
  if (phone !== null && (await rivalOf(query, { appNo, heads, newPhone: phone })))
    return 'phone-of-other-primary-user';
  return undefined;
}

const kinds = { email: identityKind.passwordlessEmail, phone: identityKind.passwordlessPhone } as const;

function mover(query: Query, { appNo, userId }: ContactChange, tenants: readonly number[]) {
  const literal = plainArray(tenants, (tenant) => tenant);
  const keyOf = (contact: string | null): string | null => contact && identityKey(contact);
  return async (column: 'email' | 'phone', from: string | null, to: string | null): Promise<void> => {
    const parameters = [appNo, userId, keyOf(from), keyOf(to), literal];
    const made = await query(moveIdentities(kinds[column]), parameters);
    if (to !== null && made.length < tenants.length) throw new Taken(`${column}-taken`);
  };
}
