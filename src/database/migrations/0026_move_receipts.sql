-- Receipts of closed moves: see docs/design/receipts.md.
create table move_receipts (
  app_no integer not null,
  move_no integer not null,
  envelope text not null, -- JSON
  entries bytea not null, -- NDJSON, packed by gzip: the leaves of the receipt's tree
  primary key (app_no, move_no)
);
