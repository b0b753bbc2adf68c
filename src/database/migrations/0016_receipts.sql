-- Receipts of imports, for jobs that ask for one: see docs/design/receipts.md.

alter table import_jobs
  add column receipt boolean not null default false,
  add column receipt_secret text; -- hexadecimal: the salts of its lines follow from it. Removed with the job's rejects

-- The lines of each chunk. Removed with the job's rejects.
create table import_ledger (
  app_no integer not null,
  job_id uuid not null,
  lines_before bigint not null, -- physical lines of the upload before the chunk
  digests bytea not null, -- SHA-256 of each line
  outcomes bytea not null, -- of each line: a number of imports/ledger/outcomes.ts
  primary key (app_no, job_id, lines_before)
);
-- Digests cannot be compressed; outcomes nearly vanish.
alter table import_ledger alter digests set storage external;

-- A receipt is made once and stays, also after its job is purged.
create table import_receipts (
  app_no integer not null,
  job_id uuid not null,
  envelope text not null, -- JSON
  blocks bytea not null, -- hashes of the tree, one for each 4,096 lines
  primary key (app_no, job_id)
);

-- The keys that sign an app's receipts: the newest signs, the others show which receipts are the app's.
create table receipt_keys (
  app_no integer not null,
  kid text not null, -- SHA-256 of the public key, hexadecimal
  created_at bigint not null,
  public_key bytea not null, -- 32 bytes
  sealed_key bytea not null, -- PKCS #8, DER
  primary key (app_no, kid)
);
