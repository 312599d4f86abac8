import type { Domain } from "@agent-marketplace/core/domains/Domain"
import { domainLimit, domainStatuses, superseded } from "@agent-marketplace/core/domains/Domain"
import { DomainStore } from "@agent-marketplace/core/domains/DomainStore"
import { Conflict } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId } from "@agent-marketplace/core/ids/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import { advisoryLockClasses } from "../AdvisoryLocks.ts"
import { Database } from "../Database.ts"
import { lockOwner } from "../identity/admitRecord.ts"
import type { PageRow } from "../paging/pageOf.ts"
import { pageOf, pageParameters, pageQuery } from "../paging/pageOf.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { arrayOf } from "../Rowset.ts"
import { date } from "../Row.ts"
import { isVerified } from "./isVerified.ts"
import { marking } from "./marking.ts"

export const domainColumns = recordColumns<Domain>({
  accountId: column.id<AccountId>(),
  domain: column.text,
  token: column.text,
  status: column.literals(domainStatuses),
  checkedAt: column.orNull(column.time),
  problem: column.orNull(column.text),
  failures: column.integer,
  dueAt: column.orNull(column.time),
  createdAt: column.time
})

const columns = Object.keys(domainColumns.columns).join(", ")

const own = "account_id = $1::text AND domain = $2::text"

const find = `SELECT ${columns} FROM account_domains WHERE ${own}`

const list = pageQuery(`${columns}, domain AS id`, "account_domains", "account_id = $3::text", "domain")

const count = "SELECT count(*)::int AS domains FROM account_domains WHERE account_id = $1::text"

const insert = `
  INSERT INTO account_domains (${columns}) SELECT ${columns} FROM json_populate_record(NULL::account_domains, $1::json)`

const remove = `DELETE FROM account_domains WHERE ${own}`

const changing = ["status", "checked_at", "problem", "failures", "due_at"]

const update = `
  UPDATE account_domains AS own SET ${changing.map((name) => `${name} = given.${name}`).join(", ")}
  FROM json_populate_record(NULL::account_domains, $1::json) AS given
  WHERE own.account_id = given.account_id AND own.domain = given.domain`

const holders = "SELECT account_id FROM account_domains WHERE domain = $1::text AND status = 'verified'"

/** In one order, so that two proofs of one domain never wait for each other. Creations of items wait too, and then see the mark. */
const lockAccounts = "SELECT id FROM accounts WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE"

/** Proofs of one domain are serialized, so that the account that has it verified stays the same. */
const lockDomain = `SELECT pg_advisory_xact_lock(${advisoryLockClasses.domains}, hashtext($1::text))`

const due = `
  SELECT ${columns} FROM account_domains WHERE due_at <= $1::timestamptz ORDER BY due_at, account_id, domain LIMIT $2::int`

const verified = `
  SELECT domain FROM account_domains
  WHERE account_id = $1::text AND status = 'verified' AND ${isVerified("$1::text")} ORDER BY domain`

const parameter = (domain: Domain): string => JSON.stringify(domainColumns.write(domain))

type Sql = SqlClient

const settle = Effect.fnUntraced(function* (
  sql: Sql,
  account: AccountId,
  name: string,
  rule: (before: Domain) => Domain
): Effect.fn.Return<Option.Option<Domain>, SqlError> {
  yield* sql.unsafe(lockDomain, [name])
  const others = (yield* sql.unsafe<{ readonly account_id: AccountId }>(holders, [name])).map((row) => row.account_id)
  const accounts = [...new Set([account, ...others])]
  yield* sql.unsafe(lockAccounts, [arrayOf("text", accounts)])
  const [row] = yield* sql.unsafe<Row>(find, [account, name])
  if (row === undefined) return Option.none()
  const after = rule(domainColumns.read(row))
  if (after.status === "verified") {
    for (const other of others.filter((one) => one !== account)) {
      const [held] = yield* sql.unsafe<Row>(find, [other, name])
      if (held === undefined) continue
      yield* marking(sql, other, sql.unsafe(update, [parameter(superseded(domainColumns.read(held)))]))
    }
  }
  yield* marking(sql, account, sql.unsafe(update, [parameter(after)]))
  return Option.some(after)
})

export const PostgresDomainStore: { readonly layer: Layer.Layer<DomainStore, never, Database> } = {
  layer: Layer.effect(
    DomainStore,
    Effect.gen(function* () {
      const { longTransaction, read, sql, transaction } = yield* Database
      const add = Effect.fnUntraced(function* (domain: Domain) {
        yield* lockOwner(sql, domain.accountId)
        const [row] = yield* sql.unsafe<Row>(find, [domain.accountId, domain.domain])
        if (row !== undefined) return domainColumns.read(row)
        const [counted] = yield* sql.unsafe<{ readonly domains: number }>(count, [domain.accountId])
        if ((counted?.domains ?? 0) >= domainLimit) {
          return yield* new Conflict({ state: "domain_limit", limit: domainLimit })
        }
        yield* sql.unsafe(insert, [parameter(domain)])
        return domain
      })
      return {
        add: (domain) => transaction(add(domain)),
        list: (account, page) =>
          Effect.map(read<Row & PageRow>(list, [...pageParameters(page), account]), (rows) =>
            pageOf(rows, domainColumns.read)
          ),
        find: (account, domain) =>
          Effect.map(read<Row>(find, [account, domain]), ([row]) =>
            Option.map(Option.fromUndefinedOr(row), domainColumns.read)
          ),
        remove: (account, domain) =>
          longTransaction(
            Effect.gen(function* () {
              yield* sql.unsafe(lockAccounts, [arrayOf("text", [account])])
              const found = yield* sql.unsafe<Row>(find, [account, domain])
              yield* marking(sql, account, sql.unsafe(remove, [account, domain]))
              return found.length > 0
            })
          ),
        settle: (account, domain, rule) => longTransaction(settle(sql, account, domain, rule)),
        due: (now, limit) => Effect.map(read<Row>(due, [date(now), limit]), (rows) => rows.map(domainColumns.read)),
        verified: (account) =>
          Effect.map(read<{ readonly domain: string }>(verified, [account]), (rows) => rows.map(({ domain }) => domain))
      }
    })
  )
}
