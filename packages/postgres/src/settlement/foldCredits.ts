import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { balanceColumnNames } from "../wallets/WalletRow.ts"

/** How many of the oldest credits one transaction looks at. */
const portion = 5000

/** Wallets that somebody else is at are left for the next time. */
const lockWallets = `
  SELECT account_id FROM wallets WHERE account_id IN (
    SELECT account_id FROM (SELECT account_id FROM wallet_credits ORDER BY seq LIMIT ${portion}) AS oldest
  ) ORDER BY account_id FOR UPDATE SKIP LOCKED`

const fold = `
  WITH folded AS (
    DELETE FROM wallet_credits WHERE account_id = ANY($1::text[]) RETURNING account_id, ${balanceColumnNames.join(", ")}
  ),
  credit AS (
    SELECT account_id, ${balanceColumnNames.map((name) => `sum(${name})::bigint AS ${name}`).join(", ")}
    FROM folded GROUP BY account_id
  )
  UPDATE wallets SET ${balanceColumnNames.map((name) => `${name} = wallets.${name} + credit.${name}`).join(", ")}
  FROM credit WHERE wallets.account_id = credit.account_id`

/** Adds credits that were appended to wallets to the wallets' rows, so that few are left to be added up by readers. */
export const foldCredits = ({ sql, transaction }: Database["Service"]): Effect.Effect<void, StoreUnavailable> =>
  transaction(
    Effect.flatMap(sql.unsafe<{ readonly account_id: string }>(lockWallets), (wallets) =>
      wallets.length === 0
        ? Effect.void
        : Effect.asVoid(sql.unsafe(fold, [wallets.map(({ account_id }) => account_id)]))
    )
  )
