/** Families of keys, quotas, retired agents, erased accounts, items that are withheld, and the operator's actions. */
export const controlOfAccounts: ReadonlyArray<string> = [
  `ALTER TABLE api_keys
    ADD COLUMN rotated_from text CONSTRAINT api_keys_rotated_from REFERENCES api_keys (id),
    -- The first key of the chain of rotations.
    ADD COLUMN family_id text,
    -- The expiry that the first key was made with.
    ADD COLUMN family_ends_at timestamptz,
    -- When the owner was notified that a rotation is due.
    ADD COLUMN rotation_noted_at timestamptz`,
  `UPDATE api_keys SET family_id = id, family_ends_at = created_at + lifetime * interval '1 millisecond'`,
  `ALTER TABLE api_keys ALTER COLUMN family_id SET NOT NULL, DROP COLUMN lifetime`,
  `CREATE INDEX api_keys_of_family ON api_keys (family_id)`,
  `CREATE INDEX api_keys_rotation ON api_keys (created_at, id) 
    WHERE status = 'active' AND rotation_noted_at IS NULL AND account_id IS NOT NULL`,
  `ALTER TABLE accounts
    -- The account's own quotas, by name; what is missing follows the tier.
    ADD COLUMN quotas jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN erased_at timestamptz`,
  `CREATE INDEX accounts_newest ON accounts (created_at DESC, id DESC)`,
  `ALTER TABLE agents ADD COLUMN retired_at timestamptz`,
  // Withheld from the shop because the owner is frozen. A soul that is withheld is stored as private.
  `ALTER TABLE souls ADD COLUMN withheld boolean NOT NULL DEFAULT false`,
  `ALTER TABLE listings ADD COLUMN withheld boolean NOT NULL DEFAULT false`,
  `CREATE INDEX souls_live ON souls (author_id) WHERE NOT deleted`,
  `CREATE INDEX listings_live ON listings (creator_id) WHERE status <> 'deleted'`,
  `CREATE TABLE operator_actions (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    before json,
    after json,
    reason text,
    request_id text NOT NULL
  )`,
  `CREATE INDEX operator_actions_of_actor ON operator_actions (actor, seq DESC)`,
  `CREATE INDEX operator_actions_on_subject ON operator_actions (subject, seq DESC)`,
  `CREATE FUNCTION refuse_changed_action() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $$`,
  `CREATE TRIGGER operator_actions_only_grow BEFORE UPDATE OR DELETE ON operator_actions
    FOR EACH ROW EXECUTE FUNCTION refuse_changed_action()`,
  `CREATE TRIGGER operator_actions_never_truncated BEFORE TRUNCATE ON operator_actions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_action()`
]
