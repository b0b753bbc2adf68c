-- Two systems count their users alike: how a job takes the ids of its records.
alter table import_jobs
  add column same_ids boolean not null default false, -- whoever has the id is the person
  add column id_prefix text, -- stands in front of every id
  add column different bigint not null default 0; -- of `rejected`: records that would have turned a user into another person
