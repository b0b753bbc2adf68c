-- By what people of a tenant may sign in first, and what they need besides: kept for the SDK, which asks for them.
-- JSON arrays of names; null where nothing is said.
alter table tenants
  add column first_factors jsonb,
  add column required_secondary_factors jsonb;
