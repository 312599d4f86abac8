import type { AccountId, KeyId, SessionId } from "@agent-marketplace/core/ids/Ids"
import type { Passkey } from "@agent-marketplace/core/passkeys/Passkey"
import type { Session } from "@agent-marketplace/core/sessions/Session"
import { endOf } from "@agent-marketplace/core/sessions/Session"
import { ConstraintViolated } from "../ConstraintViolated.ts"
import type { MarketTables } from "../MarketTables.ts"

/** The session, unless the key that started it has ended; it expires no later than that key. */
export const liveSession = (tables: MarketTables, id: SessionId): Session | undefined => {
  const session = tables.sessions.get(id)
  if (session === undefined || session.keyId === null) return session
  const key = tables.keys.get(session.keyId)
  return key?.status === "active"
    ? { ...session, expiresAt: Math.min(session.expiresAt, key.expiresAt ?? Infinity) }
    : undefined
}

/** Whether the calling key or session has not ended. */
export const isActive = (tables: MarketTables, by: KeyId): boolean =>
  tables.keys.get(by)?.status === "active" || liveSession(tables, by as string as SessionId) !== undefined

export const dropSession = (tables: MarketTables, { hash, id }: Session): void => {
  tables.sessions.delete(id)
  tables.sessionsByHash.delete(hash)
}

export const passkeysOf = (tables: MarketTables, account: AccountId): ReadonlyArray<Passkey> =>
  [...tables.passkeys.values()].filter(({ accountId }) => accountId === account)

/** Stores a session; those of its account that have expired are removed. */
export const writeSession = (tables: MarketTables, session: Session): void => {
  if (tables.sessionsByHash.has(session.hash)) throw new ConstraintViolated("sessions_hash", session.id)
  for (const old of tables.sessions.values()) {
    if (old.accountId === session.accountId && endOf(old) <= session.createdAt) dropSession(tables, old)
  }
  tables.sessions.set(session.id, session)
  tables.sessionsByHash.set(session.hash, session.id)
}

/** Ends the sessions, links and passkeys of an account. */
export const endSessionsOf = (tables: MarketTables, account: AccountId): void => {
  for (const session of tables.sessions.values()) if (session.accountId === account) dropSession(tables, session)
  for (const link of tables.signInLinks.values()) {
    if (link.accountId === account) tables.signInLinks.delete(link.hash)
  }
  for (const passkey of passkeysOf(tables, account)) tables.passkeys.delete(passkey.id)
}
