import type { ActionDraft } from "@agent-marketplace/core/admin/OperatorAction"
import { changedFields } from "@agent-marketplace/core/admin/OperatorAction"
import type { Account } from "@agent-marketplace/core/identity/Account"
import { settingsOf } from "@agent-marketplace/core/identity/Account"
import { patchedQuotas } from "@agent-marketplace/core/identity/Quotas"
import type { ApiKey } from "@agent-marketplace/core/identity/ApiKey"
import type { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Option } from "effect"
import { appendActions } from "../admin/appendActions.ts"
import type { Database } from "../Database.ts"
import { date } from "../Row.ts"
import type { IdentityChanges, Say } from "./IdentityChanges.ts"
import type { AccountRow } from "./IdentityRow.ts"
import { accountColumns, accountOf, readAccount } from "./IdentityRow.ts"
import { insertKey, keyParameters } from "./keyStatements.ts"
import { changeItems } from "./changeItems.ts"

const create = `
  WITH account AS (
    INSERT INTO accounts (${accountColumns})
    VALUES ($1::text, $2::text, $3::text, $4::boolean, $5::text, $6::int, $7::timestamptz)
  ),
  wallet AS (INSERT INTO wallets (account_id) VALUES ($1::text))
  ${insertKey(8)}`

/** The key decides: if its hash exists already, nothing else is written. */
const createOnce = `
  WITH key AS (${insertKey(8)} ON CONFLICT (hash) DO NOTHING RETURNING account_id),
  account AS (
    INSERT INTO accounts (${accountColumns})
    SELECT $1::text, $2::text, $3::text, $4::boolean, $5::text, $6::int, $7::timestamptz FROM key RETURNING id
  )
  INSERT INTO wallets (account_id) SELECT id FROM account RETURNING account_id`

const find = `SELECT ${readAccount} FROM accounts WHERE id = $1::text`

const update = `
  UPDATE accounts SET name = $2::text, email = $3::text, seller = $4::boolean, tier = $5::text, hourly_limit = $6::int,
    quotas = $7::jsonb, operator = $8::boolean
  WHERE id = $1::text`

const countItems = `
  SELECT (SELECT count(*) FROM souls WHERE author_id = $1::text)::int
    + (SELECT count(*) FROM listings WHERE creator_id = $1::text)::int AS items`

/** Renaming more items than this takes long. */
const few = 1000

const accountParameters = ({ email, hourlyLimit, id, name, seller, tier }: Account) => [
  id,
  name,
  email,
  seller,
  tier,
  hourlyLimit
]

type Methods = Pick<IdentityStore["Service"], "createAccount" | "createAccountOnce" | "findAccount" | "updateAccount">

type Patch = Parameters<Methods["updateAccount"]>[1]

const patched = (account: Account, { email, hourlyLimit, name, operator, quotas, seller, tier }: Patch): Account => ({
  ...account,
  name: name ?? account.name,
  email: email === undefined ? account.email : email,
  seller: seller ?? account.seller,
  tier: tier ?? account.tier,
  hourlyLimit: hourlyLimit === undefined ? account.hourlyLimit : hourlyLimit,
  quotas: patchedQuotas(account.quotas, quotas),
  operator: operator ?? account.operator
})

export const accountMethods = (database: Database["Service"], { announcing }: IdentityChanges): Methods => {
  const { attempt, longTransaction, read, sql, transaction } = database

  const change = Effect.fnUntraced(function* (say: Say, id: AccountId, patch: Patch, action?: ActionDraft) {
    const [row] = yield* sql.unsafe<AccountRow>(`${find} AND erased_at IS NULL FOR NO KEY UPDATE`, [id])
    if (row === undefined) return Option.none<Account>()
    const before = accountOf(row)
    const after = patched(before, patch)
    yield* sql.unsafe(update, [...accountParameters(after), JSON.stringify(after.quotas), after.operator])
    if (after.name !== before.name) {
      yield* changeItems(sql, id, {
        soul: (soul) => ({ ...soul, author: after.name }),
        listing: (listing) => ({ ...listing, creatorName: after.name })
      })
    }
    if (action !== undefined) {
      yield* appendActions(sql, [{ ...action, ...changedFields(settingsOf(before), settingsOf(after)) }])
    }
    yield* say(id)
    return Option.some(after)
  })

  const parameters = (account: Account, key: ApiKey) => [
    ...accountParameters(account),
    date(account.createdAt),
    ...keyParameters(key)
  ]

  return {
    createAccount: (account, key) => Effect.asVoid(attempt(sql.unsafe(create, parameters(account, key)))),

    createAccountOnce: (account, key) =>
      Effect.map(attempt(sql.unsafe(createOnce, parameters(account, key))), (rows) => rows.length > 0),

    findAccount: (id) =>
      Effect.map(read<AccountRow>(find, [id]), ([row]) => Option.map(Option.fromUndefinedOr(row), accountOf)),

    updateAccount: Effect.fn("IdentityStore.updateAccount")(function* (id, patch, action) {
      const [count] = patch.name === undefined ? [] : yield* read<{ readonly items: number }>(countItems, [id])
      const within = (count?.items ?? 0) > few ? longTransaction : transaction
      return yield* announcing((say) => within(change(say, id, patch, action)))
    })
  }
}
