-- The job that the holder of a lease sends users through. Who takes the lease over ends it first: what a holder that was
-- paused still sends is refused.
alter table move_leases add column job_id uuid;
