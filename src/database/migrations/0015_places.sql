-- Apps in several databases ("places"), and moves between them: see docs/operate/places.md.

-- `home`: in the first place, which has the names of all apps, the place that has the app's rows; null for this one. Null elsewhere.
-- `held`: the app has moved away or is about to, so nothing of it may be written here.
alter table apps add column home text, add column held boolean not null default false;

-- The name of this place. Empty in the first one, and in a database that is the only one. At most one row.
create table place (name text not null);
create unique index place_only on place ((true));

-- In the first place: the moves under way.
create table app_moves (
  app_no integer primary key references apps,
  source text not null,
  target text not null,
  -- copying: the target follows the source. moved: the target is the home, and the source follows it, for a way back.
  -- returning, confirming: only the rows at the target, or at the source, are left to be removed.
  stage text not null default 'copying'
);

-- The trigger of a move's tables. Its error, which the core reports as "try again", is of class 22: a batch with other apps' rows
-- is split, and only this app's are refused. Sweeps of all apps pass over its rows, and the move itself may write.
create function refuse_held_app() returns trigger language plpgsql as $$
declare
  app integer := case when tg_op = 'DELETE' then old.app_no else new.app_no end;
begin
  if not exists (select from apps a where a.app_no = app and a.held)
    or current_setting('carryover.mover', true) = 'on' then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if current_setting('carryover.sweep', true) = 'on' then return null; end if;
  raise exception 'the app is moving to another place' using errcode = '22M01';
end $$;
