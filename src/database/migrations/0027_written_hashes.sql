-- The hashes that moves have written to the old system: see docs/design/moves.md.

-- hash_mark of each in hexadecimal digits, the newest first, eight at most: a source that states one of them has not changed the password.
alter table sign_ins add column written_marks text[];
