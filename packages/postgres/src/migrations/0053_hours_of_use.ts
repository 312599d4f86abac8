/**
 * Every use of a key writes its time. That time was in an index, so each use also wrote an entry in all seven indexes of the table. The index
 * is now on the hour, which rarely changes. A trigger sets it, so that it is also correct for processes of the previous release.
 */
export const hoursOfUse: ReadonlyArray<string> = [
  `ALTER TABLE api_keys ADD COLUMN used_hour timestamptz`,
  `CREATE FUNCTION note_hour_of_use() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.used_hour := date_bin('1 hour', NEW.last_used_at, 'epoch'); RETURN NEW; END $$`,
  `CREATE TRIGGER api_keys_hour_of_use BEFORE INSERT OR UPDATE OF last_used_at ON api_keys
    FOR EACH ROW EXECUTE FUNCTION note_hour_of_use()`,
  // Earlier uses are not counted any more.
  `UPDATE api_keys SET last_used_at = last_used_at WHERE last_used_at > market_now() - interval '2 days'`,
  `CREATE INDEX api_keys_used_hour ON api_keys (used_hour) WHERE used_hour IS NOT NULL`,
  `DROP INDEX api_keys_last_used`
]
