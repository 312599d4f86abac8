import type { SigningKey } from "@agent-marketplace/core/signing/SigningKey"
import { SigningKeyStore } from "@agent-marketplace/core/signing/SigningKeyStore"
import { Effect, Layer } from "effect"
import type { Row } from "../Columns.ts"
import { Database } from "../Database.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { date } from "../Row.ts"

const record = recordColumns<SigningKey>({
  keyId: column.text,
  publicKey: column.text,
  createdAt: column.time,
  retiredAt: column.orNull(column.time),
  seenAt: column.time
})

const columns = Object.keys(record.columns).join(", ")

const known = `SELECT ${columns} FROM signing_keys WHERE key_id = $1::text`

/** Two processes with different keys must not both find no current key. */
const lock = `LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE`

const retire = `UPDATE signing_keys SET retired_at = $1::timestamptz WHERE retired_at IS NULL`

const insert = `INSERT INTO signing_keys (key_id, public_key, created_at, seen_at)
  VALUES ($1::text, $2::text, $3::timestamptz, $3::timestamptz) RETURNING ${columns}`

const seen = `UPDATE signing_keys SET seen_at = $2::timestamptz WHERE key_id = $1::text AND seen_at < $2::timestamptz`

const list = `SELECT ${columns} FROM signing_keys ORDER BY position DESC`

export const PostgresSigningKeyStore: { readonly layer: Layer.Layer<SigningKeyStore, never, Database> } = {
  layer: Layer.effect(
    SigningKeyStore,
    Effect.gen(function* () {
      const { attempt, read, sql, transaction } = yield* Database
      const replace = Effect.fnUntraced(function* (keyId: string, publicKey: string, at: number, retireAt: number) {
        yield* sql.unsafe(lock)
        const [other] = yield* sql.unsafe<Row>(known, [keyId])
        if (other !== undefined) return record.read(other)
        yield* sql.unsafe(retire, [date(retireAt)])
        const [made] = yield* sql.unsafe<Row>(insert, [keyId, publicKey, date(at)])
        return made === undefined ? yield* Effect.die(new Error("the key was not inserted")) : record.read(made)
      })
      return {
        register: Effect.fn("PostgresSigningKeyStore.register")(function* ({ at, keyId, publicKey, retireAt }) {
          const [found] = yield* attempt(sql.unsafe<Row>(known, [keyId]))
          return found === undefined ? yield* transaction(replace(keyId, publicKey, at, retireAt)) : record.read(found)
        }),
        seen: (keyId, at) => Effect.asVoid(attempt(sql.unsafe(seen, [keyId, date(at)]))),
        list: Effect.map(read<Row>(list), (rows) => rows.map(record.read))
      }
    })
  )
}
