-- Who did what with the core. Without the app's number: what was done to an app stays when the app is removed.
create table audit (
  id uuid primary key, -- UUIDv7 of the beginning: by it entries are listed, searched since a time, and removed
  begun_at bigint not null, -- ms since the epoch
  ended_at bigint, -- null: under way, or nobody knows how it ended
  app_id text not null,
  tenant_id text not null,
  who text not null, -- the name of the key
  what text not null,
  address text, -- of the connection
  outcome text,
  count bigint,
  details text not null -- JSON
);
