/**
 * SQL for the number of live records of the account given by the parameter, for each quota. The keys of one family count once, and
 * those of a host's sessions do not count (QUOTA-3).
 */
export const liveRecords = {
  souls: (account: string) => `(SELECT count(*)::int FROM souls WHERE author_id = ${account} AND NOT deleted)`,
  listings: (account: string) =>
    `(SELECT count(*)::int FROM listings WHERE creator_id = ${account} AND status <> 'deleted')`,
  agents: (account: string) => `(SELECT count(*)::int FROM agents WHERE owner_id = ${account} AND retired_at IS NULL)`,
  keys: (account: string) => `(SELECT count(DISTINCT family_id)::int FROM api_keys
    WHERE account_id = ${account} AND status = 'active' AND (expires_at IS NULL OR expires_at > market_now())
      AND hash NOT LIKE 'host:%')`,
  webhooks: (account: string) => `(SELECT count(*)::int FROM webhooks WHERE account_id = ${account})`
} as const
