import type { StoreUnavailable } from "@agent-marketplace/core/errors/MarketError"
import { Effect } from "effect"
import type { Database } from "../Database.ts"
import { arrayOf } from "../Rowset.ts"
import { balanceColumnNames } from "../wallets/WalletRow.ts"

/** How many credits one transaction folds. */
const portion = 5000

/** The next wallets with appended credits, in the order of their ids; locked ones are skipped until the next run. */
const lockWallets = `
  WITH owed AS MATERIALIZED (
    SELECT account_id FROM wallet_credits WHERE account_id > $1::text ORDER BY account_id LIMIT ${portion}
  ), locked AS MATERIALIZED (
    SELECT account_id FROM wallets WHERE account_id IN (SELECT account_id FROM owed) ORDER BY account_id FOR UPDATE SKIP LOCKED
  )
  SELECT (SELECT array_agg(account_id) FROM locked) AS locked,
    (SELECT max(account_id) FROM owed HAVING count(*) = ${portion}) AS next`

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

interface Owed {
  readonly locked: ReadonlyArray<string> | null
  /** The position to continue from, if there are more. */
  readonly next: string | null
}

/** Adds credits that were appended to wallets to the wallets' rows, so that readers have few credits to add up. */
export const foldCredits = ({ sql, transaction }: Database["Service"]): Effect.Effect<void, StoreUnavailable> => {
  const from = (account: string): Effect.Effect<void, StoreUnavailable> =>
    transaction(
      Effect.gen(function* () {
        const [owed] = yield* sql.unsafe<Owed>(lockWallets, [account])
        const locked = owed?.locked ?? []
        if (locked.length > 0) yield* sql.unsafe(fold, [arrayOf("text", locked)])
        return owed?.next ?? null
      })
    ).pipe(Effect.flatMap((next) => (next === null ? Effect.void : from(next))))
  return from("")
}
