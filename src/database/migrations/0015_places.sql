-- Apps in several databases ("places"): see docs/operate/places.md.

-- In the first place, which has the names of all apps: the place that has the app's rows, null for this one. Null elsewhere.
alter table apps add column home text;

-- The name of this place. Empty in the first one, and in a database that is the only one. At most one row.
create table place (name text not null);
create unique index place_only on place ((true));
