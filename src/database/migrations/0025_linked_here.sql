-- By a request: the login method was linked to a user, taken from one, or put into a tenant or out of it; by clock_ms().
alter table sign_ins add column linked_at bigint;
