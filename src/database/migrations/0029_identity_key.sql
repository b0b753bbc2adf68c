-- The same functions, so that PostgreSQL writes them into the statements that use them: it does so only where everything within is
-- immutable, and convert_to is not, nor is a number before ||. A call cost 6 µs: an export makes one for each login method, an import
-- several. With a UTF-8 database, as the core demands, a text's bytes are those of its encoding; only a backslash has a meaning.
create function bytes_of(text text) returns bytea language sql immutable parallel safe
return decode(replace(text, '\', '\\'), 'escape');

create or replace function identity_key(recipe smallint, email text, third_party_id text, third_party_user_id text, phone text)
returns uuid language sql immutable parallel safe
return encode(
  substring(
    sha256(
      bytes_of(
        case
          when recipe = 2 then octet_length(third_party_id)::text || ':' || third_party_id || third_party_user_id
          else coalesce(email, phone)
        end
      )
    )
    for 16
  ),
  'hex'
)::uuid;

create or replace function hash_mark(password_hash text) returns bytea language sql immutable parallel safe
return substring(sha256(bytes_of(password_hash)) for 16);
