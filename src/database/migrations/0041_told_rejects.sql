-- Records that the sender could not turn into native ones: it tells them in their place, and they are counted in `rejected`.
alter table import_jobs
  add column told bigint not null default 0,
  add column passed_over bigint not null default 0; -- of `told`: nobody to import, which says nothing against the file
