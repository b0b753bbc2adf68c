-- Users whose password an old system knows have its mark in place of a hash: see config/legacy/mark.ts. For counting who is
-- left; nobody else has an entry.
create index users_legacy on users (app_no, password_hash) where password_hash ^@ '$legacy$';
