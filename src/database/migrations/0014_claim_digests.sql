-- The digest by which a core remembers that the key is claimed, so that a core that continues the job need not look up every key.
-- NULL: written by an older core, or by a statement that does not know it.
alter table import_claims add column digest bigint;
