#!/bin/sh
# Run once by the image of PostgreSQL (/docker-entrypoint-initdb.d) when it has made a new cluster: the core's role, which is no
# superuser, and its database. CORE_PASSWORD_FILE names the file of the role's password.
set -eu
# psql reads the password itself, so it shows in no process list, nor in the server's log should a statement fail.
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
set log_min_error_statement = panic;
\set password `cat "$CORE_PASSWORD_FILE"`
create role carryover login password :'password';
create database carryover owner carryover encoding 'UTF8' template template0;
SQL
