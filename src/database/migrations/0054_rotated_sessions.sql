-- Which refresh token a session had before its present one, and since when it has this: what a later version of the driver
-- interface needs to let a client repeat a refresh whose answer was lost. Null until the next use of a new token.
alter table sessions
  add column prev_hash bytea, -- as refresh_hash
  add column rotated_at bigint; -- by clock_ms()
