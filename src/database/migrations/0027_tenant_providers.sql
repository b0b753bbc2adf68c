-- By which providers people of a tenant sign in, in their order: an array of {id, sealed}. What is sealed (base64) holds the
-- secrets of clients.
alter table tenants add column providers jsonb not null default '[]';
