/** ms since the epoch by the database's clock, constant within a statement; clocks of cores differ. */
export const nowMs = '(extract(epoch from statement_timestamp()) * 1000)::bigint';
