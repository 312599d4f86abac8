/** A table whose rows are numbered by the identity column `seq` and never change their number. */
interface NumberedTable {
  readonly name: string
  /** Each index by what follows the table's name in its own name, with its definition. */
  readonly indexes: Readonly<Record<string, string>>
  /** The constraint of the primary key, if the table has one. */
  readonly primaryKey: boolean
}

/**
 * Statements that make a table the first partition of a new one by the same name, without copying. They read the table once to prove its
 * range, while its writers wait. Part of released migrations: it must not change.
 */
export const partitionByNumber = ({ indexes, name, primaryKey }: NumberedTable): ReadonlyArray<string> => {
  const key = primaryKey ? ", PRIMARY KEY (seq)" : ""
  const names = [...(primaryKey ? ["pkey"] : []), ...Object.keys(indexes)]
  return [
    `ALTER TABLE ${name} RENAME TO ${name}_0`,
    ...names.map((index) => `ALTER INDEX ${name}_${index} RENAME TO ${name}_0_${index}`),
    `CREATE TABLE ${name} (LIKE ${name}_0 INCLUDING DEFAULTS INCLUDING CONSTRAINTS${key}) PARTITION BY RANGE (seq)`,
    ...Object.entries(indexes).map(([index, definition]) => `CREATE INDEX ${name}_${index} ON ${name} ${definition}`),
    `CREATE TABLE ${name}_default PARTITION OF ${name} DEFAULT`,
    `DO $$ DECLARE
      last bigint;
      used boolean;
      bound bigint;
      rights aclitem[];
      one text;
    BEGIN
      SELECT last_value, is_called INTO last, used FROM ${name}_seq_seq;
      SELECT relacl INTO rights FROM pg_class WHERE oid = '${name}_seq_seq'::regclass;
      -- A table with an identity cannot be attached.
      ALTER TABLE ${name}_0 ALTER seq DROP IDENTITY;
      ALTER TABLE ${name} ALTER seq ADD GENERATED ALWAYS AS IDENTITY;
      PERFORM setval('${name}_seq_seq', last, used);
      bound := greatest(5000000, last + 100000);
      EXECUTE format('ALTER TABLE ${name} ATTACH PARTITION ${name}_0 FOR VALUES FROM (MINVALUE) TO (%s)', bound);
      INSERT INTO numbered_partitions (parent, first, until, made_at, last) VALUES ('${name}', 0, bound, market_now(), last);
      -- Roles that may use the former table and its numbers may use the new ones.
      FOR one IN
        SELECT format('GRANT %s ON %s TO %s', privilege_type, target, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
        FROM (
          SELECT '${name}' AS target, acl.* FROM pg_class, aclexplode(relacl) AS acl WHERE oid = '${name}_0'::regclass
          UNION ALL SELECT 'SEQUENCE ${name}_seq_seq', acl.* FROM aclexplode(rights) AS acl
        ) AS granted
      LOOP
        EXECUTE one;
      END LOOP;
    END $$`
  ]
}
