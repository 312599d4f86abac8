/** Frozen accounts and agents, proceeds in escrow, debts, refunded renewals, and the terms that buyer and seller agreed to. */
export const escrowAndFreezes: ReadonlyArray<string> = [
  `ALTER TABLE accounts ADD COLUMN frozen_at timestamptz, ADD COLUMN frozen_reason text`,
  `ALTER TABLE agents ADD COLUMN frozen_at timestamptz, ADD COLUMN frozen_reason text`,
  // Few are frozen or in debt: the checks for every buyer and seller use indexes that are nearly empty.
  `CREATE INDEX accounts_frozen ON accounts (id) WHERE frozen_at IS NOT NULL`,
  `CREATE INDEX agents_frozen ON agents (id) WHERE frozen_at IS NOT NULL`,
  `ALTER TABLE wallets ADD COLUMN debt bigint NOT NULL DEFAULT 0 CHECK (debt >= 0)`,
  `CREATE INDEX wallets_debt ON wallets (account_id) WHERE debt > 0`,
  `ALTER TABLE wallet_credits ADD COLUMN debt bigint NOT NULL DEFAULT 0`,
  // Allows everything that the check allowed before, so the existing lines need no check.
  `ALTER TABLE ledger_lines DROP CONSTRAINT ledger_lines_type_check, ADD CONSTRAINT ledger_lines_type_check
    CHECK (type IN ('deposit', 'hold', 'release', 'purchase', 'sale_fee', 'refund', 'fee_return', 'cover', 'debt', 'repayment',
      'withdrawal', 'withdrawal_fee')) NOT VALID`,
  // Written by every sale, deleted when it is released.
  `CREATE TABLE escrow (
    account_id text NOT NULL,
    reference text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    released_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, reference)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0)`,
  `CREATE INDEX escrow_due ON escrow (released_at)`,
  `ALTER TABLE purchases ADD COLUMN tracking_id text, ADD COLUMN failure_reason text
    CHECK (failure_reason IN ('rejected', 'expired', 'not_for_sale', 'frozen')), DROP CONSTRAINT purchases_status_check`,
  `UPDATE purchases SET failure_reason = status, status = 'failed' WHERE status IN ('rejected', 'expired')`,
  `ALTER TABLE purchases ADD CONSTRAINT purchases_status_check
    CHECK (status IN ('pending', 'completed', 'refunded', 'failed') AND (status = 'failed') = (failure_reason IS NOT NULL)) NOT VALID`,
  `ALTER TABLE approvals ADD COLUMN pricing_model text NOT NULL DEFAULT 'one_time'
    CHECK (pricing_model IN ('one_time', 'free', 'subscription'))`,
  `UPDATE approvals SET pricing_model = 'subscription'
    FROM purchases WHERE purchases.id = approvals.purchase_id AND purchases.license_type = 'subscription'`,
  `ALTER TABLE renewals ADD COLUMN seq bigint GENERATED ALWAYS AS IDENTITY, ADD COLUMN purchase_id text, ADD COLUMN seller_id text,
    ADD COLUMN status text NOT NULL DEFAULT 'completed' CHECK (status IN ('completed', 'refunded'))`,
  `UPDATE renewals SET purchase_id = subscriptions.purchase_id, seller_id = subscriptions.seller_id
    FROM subscriptions WHERE subscriptions.id = renewals.subscription_id`,
  `ALTER TABLE renewals ALTER COLUMN purchase_id SET NOT NULL, ALTER COLUMN seller_id SET NOT NULL`,
  `DROP INDEX renewals_buyer`,
  `DROP INDEX renewals_agent`,
  `CREATE INDEX renewals_buyer ON renewals (buyer_id, at) INCLUDE (amount, status)`,
  `CREATE INDEX renewals_agent ON renewals (agent_id, at) INCLUDE (amount, status) WHERE agent_id IS NOT NULL`,
  `CREATE INDEX renewals_seller ON renewals (seller_id, at DESC, seq DESC)`,
  `CREATE INDEX renewals_time ON renewals (at) INCLUDE (amount, status)`,
  `CREATE INDEX subscriptions_seller ON subscriptions (seller_id, seq DESC)`
]
