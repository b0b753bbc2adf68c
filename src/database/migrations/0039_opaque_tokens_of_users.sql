-- Whoever is removed takes the tokens of old systems along. Without the app in front, or an empty table would make it look as
-- good as the key for finding a token.
create index opaque_tokens_of_user on opaque_tokens (user_id);
