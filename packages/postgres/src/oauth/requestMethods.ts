import type { AuthorizationRequest } from "@agent-marketplace/core/oauth/AuthorizationRequest"
import type { Decision, Exchange, OauthStore } from "@agent-marketplace/core/oauth/OauthStore"
import type { OauthRequestId } from "@agent-marketplace/core/ids/Ids"
import { Effect, Option } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row } from "../Columns.ts"
import type { Database } from "../Database.ts"
import { lockOwner } from "../identity/admitRecord.ts"
import { stillActive } from "../identity/callingKey.ts"
import type { IdentityChanges } from "../identity/IdentityChanges.ts"
import type { Time } from "../Row.ts"
import { date, nullableDate, nullableTime } from "../Row.ts"
import { addGrant } from "./addGrant.ts"
import { insertTokens } from "./insertTokens.ts"
import { endGrant, lockGrant } from "./endGrant.ts"
import { insertInto, requestRecord } from "./OauthRow.ts"

const columns = Object.keys(requestRecord.columns).join(", ")

const insert = insertInto("oauth_requests", requestRecord.columns)

/** An exchanged code is kept for a day after its request, so that a late second use is detected. */
const dropOld = `
  DELETE FROM oauth_requests WHERE id IN (
    SELECT id FROM oauth_requests WHERE expires_at < $1::timestamptz - interval '1 day'
    ORDER BY expires_at LIMIT 20 FOR UPDATE SKIP LOCKED
  )`

const findBy = (name: "code_hash" | "id" | "user_code_hash"): string =>
  `SELECT ${columns} FROM oauth_requests WHERE ${name} = $1::text`

/** Waits for a concurrent decision or exchange. */
const lock = `${findBy("id")} FOR UPDATE`

const deny = "UPDATE oauth_requests SET decision = 'denied' WHERE id = $1::text"

const approve = `
  UPDATE oauth_requests SET decision = 'approved', grant_id = $2::text, scopes = $3::text[],
    code_hash = coalesce($4::text, code_hash), code_expires_at = coalesce($5::timestamptz, code_expires_at)
  WHERE id = $1::text`

const poll = `
  UPDATE oauth_requests new SET polled_at = $2::timestamptz
  FROM (SELECT id, polled_at FROM oauth_requests WHERE id = $1::text FOR UPDATE) AS old
  WHERE new.id = old.id RETURNING old.polled_at AS before`

const redeem = "UPDATE oauth_requests SET redeemed_at = $2::timestamptz WHERE id = $1::text"

type Methods = Pick<
  OauthStore["Service"],
  "createRequest" | "decide" | "findRequest" | "findRequestByCode" | "findRequestByUserCode" | "notePoll" | "redeem"
>

const optional = (rows: ReadonlyArray<Row>): Option.Option<AuthorizationRequest> =>
  Option.map(Option.fromUndefinedOr(rows[0]), requestRecord.read)

export const requestMethods = (
  { attempt, read, sql, transaction }: Database["Service"],
  { announcing }: IdentityChanges,
  happened: () => void
): Methods => {
  const lockRequest = (id: OauthRequestId) => Effect.map(sql.unsafe<Row>(lock, [id]), optional)

  /** Locks the account, then the request, then adds the agent and its key. */
  const decided = Effect.fnUntraced(function* (
    id: OauthRequestId,
    decision: Decision,
    by: Parameters<Methods["decide"]>[2],
    at: number
  ) {
    const owner = decision._tag === "Denied" ? undefined : yield* lockOwner(sql, decision.draft.grant.accountId)
    yield* stillActive(sql, by)
    const request = yield* lockRequest(id)
    if (Option.isNone(request) || request.value.decision !== "pending" || request.value.expiresAt <= at) return false
    if (decision._tag === "Denied") {
      yield* sql.unsafe(deny, [id])
      return true
    }
    const { code, draft } = decision
    yield* addGrant(sql, owner, draft)
    yield* sql.unsafe(approve, [
      id,
      draft.grant.id,
      draft.grant.scopes,
      code?.hash ?? null,
      nullableDate(code?.expiresAt ?? null)
    ])
    return true
  })

  return {
    createRequest: (request) =>
      transaction(
        Effect.andThen(
          sql.unsafe(dropOld, [date(request.createdAt)]),
          Effect.asVoid(sql.unsafe(insert, [JSON.stringify(requestRecord.write(request))]))
        )
      ),
    findRequest: (id) => Effect.map(read<Row>(findBy("id"), [id]), optional),
    findRequestByCode: (hash) => Effect.map(read<Row>(findBy("code_hash"), [hash]), optional),
    findRequestByUserCode: (hash) => Effect.map(read<Row>(findBy("user_code_hash"), [hash]), optional),
    decide: (id, decision, by, at) =>
      Effect.tap(transaction(decided(id, decision, by, at)), () => Effect.sync(happened)),
    notePoll: (id, at) =>
      Effect.map(attempt(sql.unsafe<{ readonly before: Time | null }>(poll, [id, date(at)])), ([row]) =>
        nullableTime(row?.before ?? null)
      ),
    redeem: (id, tokens, at) =>
      announcing((say) =>
        transaction(
          Effect.gen(function* (): Effect.fn.Return<Exchange, SqlError> {
            const request = yield* lockRequest(id)
            const grant = Option.isNone(request) ? undefined : yield* lockGrant(sql, request.value.grantId)
            if (Option.isNone(request) || grant === undefined) return { _tag: "Ended" }
            if (request.value.redeemedAt !== null) {
              yield* endGrant(sql, grant, at, say)
              return { _tag: "Repeated", grant }
            }
            yield* sql.unsafe(redeem, [id, date(at)])
            yield* insertTokens(sql, tokens, at)
            return { _tag: "Exchanged" }
          })
        )
      )
  }
}
