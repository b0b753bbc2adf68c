-- How busy a core is, for pages that show all of them; null for one that does not report.
alter table cores add column figures jsonb;
