-- Moves of apps from an old system to this core, which take weeks: see docs/design/moves.md.

-- The newest move of an app is its current one; only the newest may be open.
create table moves (
  app_no integer not null,
  move_no integer not null, -- counts the moves of the app, from 1
  system text not null, -- the provider that reads the old system
  address text, -- of its database, without user, password and options; null: it is read from files
  label text not null, -- import_jobs.source of its imports
  stage smallint not null default 1, -- 1 rehearsing, 2 following, 3 leading, 4 closed
  share smallint not null default 0, -- percentage of users who sign in here; of a closed move 100, or 0 if it was abandoned
  revision integer not null default 1, -- steps so far
  share_key uuid not null default gen_random_uuid(), -- the key of the digest that decides who is in the share
  started_at bigint not null default clock_ms(),
  stage_at bigint not null default clock_ms(),
  primary key (app_no, move_no)
);
create unique index moves_open on moves (app_no) where stage <> 4;

-- What happened to a move, and the reports that its checks read. Rows are only added.
create table move_events (
  app_no integer not null,
  move_no integer not null,
  event_no integer not null, -- from 1
  at bigint not null default clock_ms(),
  actor text not null, -- the name of a key; core: the share stopped automatically
  kind text not null, -- start, step, stop, or a report: plan, canaries, comparison, way-back
  stage smallint not null, -- this and the next one: after the event
  share smallint not null,
  figures jsonb not null,
  primary key (app_no, move_no, event_no)
);

create function refuse_change_of_history() returns trigger language plpgsql as $$
begin
  raise exception 'the history of a move is not changed';
end $$;
create trigger history_stays before update on move_events for each row execute function refuse_change_of_history();

-- The process that follows the old system, and the one that writes back to it.
create table move_leases (
  app_no integer not null,
  move_no integer not null,
  role smallint not null, -- 1 follow, 2 write-back
  fence bigint not null, -- counts the claims: what an earlier holder sends is refused
  holder text not null,
  leased_until bigint not null,
  position text, -- written and read by the holder alone
  lag_ms bigint, -- null: not measured yet
  lag_records bigint,
  primary key (app_no, move_no, role)
);

-- Users by the outcome of their first sign-ins: round 0 at the old system, and each further round from a step into the stage
-- leading on. See src/features/moves/refusals.ts.
create table move_rounds (
  app_no integer not null,
  move_no integer not null,
  round smallint not null,
  refused_before double precision, -- the part of users who are refused without a fault; null for round 0
  users bigint not null default 0,
  refused bigint not null default 0,
  primary key (app_no, move_no, round)
);

create table move_outcomes (
  app_no integer not null,
  move_no integer not null,
  round smallint not null,
  person uuid not null, -- a keyed digest of the login method's id: nothing is left of a user who is removed
  wrong smallint not null, -- wrong passwords so far
  outcome smallint, -- 1 right, 2 refused; null: not decided
  primary key (app_no, move_no, round, person)
);
