-- Chunks of uploads, all of whose valid records a job created: the same bytes again are recognised as a whole.
create table import_chunks (
  app_no integer not null,
  digest bytea not null, -- SHA-256 over the bytes and what they were judged by
  job_id uuid not null, -- the job that created the users
  tenant_no integer not null, -- of all its records
  with_external boolean not null, -- every record states an external id; otherwise none does
  user_ids uuid[] not null, -- in the order of the records
  state bytea not null, -- SHA-256 over the users' rows as the records state them
  by_kind jsonb not null,
  rejects text not null, -- JSON, of lines that no database was needed for; lines count from the chunk's start
  lines integer not null, -- physical ones
  primary key (app_no, digest, job_id)
);

-- Random bits do not become shorter, and ids are read only together.
alter table import_chunks alter column user_ids set storage external;

-- Known chunks at the beginning of a running job that it passed over, without a claim for each of their users: until a
-- chunk comes that is not known. Removed with the job's end.
create table import_repeats (
  job_id uuid not null,
  digest bytea not null,
  made_by uuid not null, -- the job of the known chunk
  is_claimed boolean not null default false, -- its users stand in import_claims by now
  primary key (job_id, digest)
);
