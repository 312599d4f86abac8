/** SQL for the position of a WAL location, which sorts as a text. */
export const positionOf = (lsn: string): string => `lpad(to_hex((${lsn} - '0/0'::pg_lsn)::bigint), 16, '0')`
