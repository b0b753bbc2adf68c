-- Linked users whose head's own login method was removed while others stayed: which of those carries the user's external id
-- on. The user keeps the head's id, too.
create table former_heads (
  app_no integer not null,
  user_id uuid not null, -- of the head
  heir uuid not null, -- the login method
  primary key (app_no, user_id)
);
