-- Who came by an import and was removed here, so that the next export does not bring the person back. Only digests, keyed by
-- a secret that stands elsewhere: from this table alone nobody is read or guessed.
create table tombstones (
  app_no integer not null,
  digest uuid not null, -- tombstone_digest of the external id or of an identity
  person uuid not null, -- random: what belongs together
  tenant_no integer, -- of an identity
  primary key (app_no, digest, person)
);
create index tombstones_of_person on tombstones (app_no, person);

-- HMAC's form (RFC 2104) with the secret in front of both hashes. Emails of either kind are one; kind 5 is an external id.
create function tombstone_digest(secret text, app integer, kind integer, key uuid, tenant integer) returns uuid
language sql immutable parallel safe
return substring(
  encode(
    sha256(
      convert_to(
        secret || 'o' || encode(
          sha256(
            convert_to(
              secret || 'i' || app || ' ' || case when kind = 3 then 1 else kind end || ' ' || key || ' '
                || coalesce(tenant, 0),
              'UTF8'
            )
          ),
          'hex'
        ),
        'UTF8'
      )
    ),
    'hex'
  ) for 32
)::uuid;

alter table import_jobs add column restore_removed boolean not null default false;
