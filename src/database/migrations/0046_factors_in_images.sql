-- Second factors of a user as a job found them, sealed as they are stored, for its undo:
--   rows    of totp_devices, as to_jsonb gives them
--   staged  what user_details still holds for them
-- Of users whom the job removed all of them, else those of imports. Images of earlier versions have null: what was there is
-- not known.
alter table import_before_images add column factors jsonb;
