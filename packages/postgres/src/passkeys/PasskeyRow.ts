import type { AccountId, PasskeyId, SessionId } from "@agent-marketplace/core/ids/Ids"
import type { Challenge, Passkey } from "@agent-marketplace/core/passkeys/Passkey"
import { challengePurposes } from "@agent-marketplace/core/passkeys/Passkey"
import { Schema } from "effect"
import type { Row } from "../Columns.ts"
import { column, recordColumns } from "../RecordColumns.ts"
import { date, nullableDate } from "../Row.ts"

type Stored = Omit<Passkey, "transports"> & { readonly transports: string }

/** An unsigned number of 32 bits, which needs a `bigint`. */
const counter = { schema: Schema.BigInt, read: (value: bigint) => Number(value), write: String }

const passkeyRecord = recordColumns<Stored>({
  id: column.id<PasskeyId>(),
  accountId: column.id<AccountId>(),
  name: column.text,
  credentialId: column.text,
  publicKey: column.text,
  counter,
  transports: column.text,
  backedUp: column.flag,
  createdAt: column.time,
  lastUsedAt: column.orNull(column.time)
})

export const passkeyColumns = Object.keys(passkeyRecord.columns).join(", ")

export const passkeyOf = (row: Row): Passkey => {
  const stored = passkeyRecord.read(row)
  return {
    ...stored,
    transports: stored.transports === "" ? [] : stored.transports.split(" ")
  }
}

export const insertPasskey = `INSERT INTO passkeys (${passkeyColumns}) VALUES ($1::text, $2::text, $3::text, $4::text, $5::text,
  $6::bigint, $7::text, $8::boolean, $9::timestamptz, $10::timestamptz) ON CONFLICT (credential_id) DO NOTHING RETURNING id`

export const passkeyParameters = (passkey: Passkey): ReadonlyArray<unknown> => [
  passkey.id,
  passkey.accountId,
  passkey.name,
  passkey.credentialId,
  passkey.publicKey,
  BigInt(passkey.counter),
  passkey.transports.join(" "),
  passkey.backedUp,
  date(passkey.createdAt),
  nullableDate(passkey.lastUsedAt)
]

const challengeRecord = recordColumns<Challenge>({
  challenge: column.text,
  purpose: column.literals(challengePurposes),
  sessionId: column.orNull(column.id<SessionId>()),
  expiresAt: column.time
})

export const challengeOf: (row: Row) => Challenge = challengeRecord.read

export const challengeColumns = Object.keys(challengeRecord.columns).join(", ")
