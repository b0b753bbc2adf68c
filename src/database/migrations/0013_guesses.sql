-- Wrong guesses of all cores, by the digest of what is guessed at. Unlogged: each row is worth minutes, and after a crash of the
-- server or a failover guessers begin again.
create unlogged table guess_buckets (
  key uuid primary key,
  full_at bigint not null -- ms since the epoch, by the database's clock: when all guesses are allowed again
);

-- Cores that use this database: see core-register.ts.
create unlogged table cores (
  core_id uuid primary key,
  version text not null,
  seen_at bigint not null -- ms since the epoch, by the database's clock
);
