-- Tokens of old systems that only those can read, by their digests, to be exchanged for sessions.
create table opaque_tokens (
  app_no integer not null,
  tenant_no integer not null,
  source text not null, -- its name in session_sources
  token_digest bytea not null, -- SHA-256
  user_id text not null, -- at the old system
  expires_at bigint not null, -- ms since the epoch, as the others
  issued_at bigint, -- null: not known
  imported_at bigint not null,
  primary key (app_no, token_digest)
);

create index opaque_tokens_expired on opaque_tokens (expires_at);
