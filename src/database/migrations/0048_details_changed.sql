-- When metadata or roles of a login method were changed here by a request, by clock_ms(): with the other times of this table it is
-- known who changed here since a moment. Changes from before the column are not.
alter table sign_ins add column details_changed_at bigint;
