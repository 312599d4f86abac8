import type { AccountId, KeyId, SessionId } from "@agent-marketplace/core/ids/Ids"
import type { Session } from "@agent-marketplace/core/sessions/Session"
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

/** Ends the sessions and links of an account. */
export const endSessionsOf = (tables: MarketTables, account: AccountId): void => {
  for (const session of tables.sessions.values()) if (session.accountId === account) dropSession(tables, session)
  for (const link of tables.signInLinks.values()) {
    if (link.accountId === account) tables.signInLinks.delete(link.hash)
  }
}
