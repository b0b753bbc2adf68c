-- A job that stops by itself says why, and what is alike among its rejects is kept once.

alter table import_jobs
  add column unusable bigint not null default 0, -- of `rejected`: records that no stored user could make valid
  add column cancel_reason text; -- of state 3: a code of cancelReasons in bulk/job.ts; null: by request

-- Neighbours that are alike, and name no user, are one row.
alter table import_rejects add column lines bigint not null default 1; -- up to `line`
