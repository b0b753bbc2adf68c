-- Records that were not rejected and state a join date before 2000 or in the future.
alter table import_jobs add column odd_dates bigint not null default 0;
