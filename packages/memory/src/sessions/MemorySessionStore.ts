import { InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { Timestamp } from "@agent-marketplace/core/clock/Timestamp"
import type { AccountId, SessionId } from "@agent-marketplace/core/ids/Ids"
import type { Session } from "@agent-marketplace/core/sessions/Session"
import { endOf } from "@agent-marketplace/core/sessions/Session"
import { SessionStore } from "@agent-marketplace/core/sessions/SessionStore"
import { Effect, Layer, Option, Stream } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { dropSession, isActive, liveSession, passkeysOf, writeSession } from "./sessionRecords.ts"

const ended = new InvalidApiKey({ reason: "invalid" })

const created = ({ createdAt }: Session) => createdAt

const listOf = (tables: MarketTables, owner: AccountId | null, now: Timestamp): ReadonlyArray<Session> =>
  Timeline.newestFirst(
    [...tables.sessions.values()].flatMap(({ id }) => {
      const session = liveSession(tables, id)
      return session?.accountId === owner && endOf(session) > now ? [session] : []
    }),
    created
  )

type Store = SessionStore["Service"]

const starts = ({ tables }: MemoryMarket["Service"]): Pick<Store, "create" | "createLink" | "spendLink"> => ({
  create: (session) =>
    Effect.suspend(() => {
      if (session.keyId !== null && !isActive(tables, session.keyId)) return Effect.fail(ended)
      writeSession(tables, session)
      return Effect.void
    }),
  createLink: (link) =>
    Effect.suspend(() => {
      if (!isActive(tables, link.madeBy)) return Effect.fail(ended)
      tables.signInLinks.set(link.hash, link)
      return Effect.void
    }),
  spendLink: (hash, draft) =>
    Effect.sync(() => {
      const link = tables.signInLinks.get(hash)
      if (link === undefined) return Option.none()
      tables.signInLinks.delete(hash)
      if (link.expiresAt <= draft.createdAt || !isActive(tables, link.madeBy)) return Option.none()
      const keyId = tables.keys.has(link.madeBy)
        ? link.madeBy
        : (tables.sessions.get(link.madeBy as string as SessionId)?.keyId ?? null)
      const session: Session = { ...draft, accountId: link.accountId, keyId }
      writeSession(tables, session)
      return Option.some(session)
    })
})

const attempts = ({ tables }: MemoryMarket["Service"]): Pick<Store, "countAttempt" | "forgetAttempt"> => ({
  countAttempt: (address, now, limit, window) =>
    Effect.sync(() => {
      const known = tables.signInAttempts.get(address)
      const open = known !== undefined && known.resetAt > now ? known : { count: 0, resetAt: now + window }
      const admitted = open.count < limit
      tables.signInAttempts.set(address, { ...open, count: open.count + (admitted ? 1 : 0) })
      return { admitted, resetAt: open.resetAt }
    }),
  forgetAttempt: (address, resetAt) =>
    Effect.sync(() => {
      const known = tables.signInAttempts.get(address)
      if (known?.resetAt === resetAt)
        tables.signInAttempts.set(address, { ...known, count: Math.max(0, known.count - 1) })
    })
})

export const MemorySessionStore: { readonly layer: Layer.Layer<SessionStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    SessionStore,
    Effect.map(MemoryMarket, (market): Store => {
      const { announce, changes, tables } = market
      return {
        ...starts(market),
        ...attempts(market),
        find: (hash) =>
          Effect.sync(() => {
            const id = tables.sessionsByHash.get(hash)
            const session = id === undefined ? undefined : liveSession(tables, id)
            if (session === undefined) return Option.none()
            const account = session.accountId === null ? null : (tables.accounts.get(session.accountId) ?? null)
            const hasPasskey = account !== null && passkeysOf(tables, account.id).length > 0
            return Option.some({ session, account, hasPasskey })
          }),
        list: (owner, now, page) => Effect.sync(() => Timeline.page(listOf(tables, owner, now), page)),
        end: (id, owner) =>
          Effect.sync(() => {
            const session = liveSession(tables, id)
            if (session?.accountId !== owner) return false
            dropSession(tables, session)
            announce(id)
            return true
          }),
        touch: (uses) =>
          Effect.sync(() => {
            for (const [id, at] of uses) {
              const session = tables.sessions.get(id)
              if (session !== undefined && at > session.lastUsedAt) {
                tables.sessions.set(id, { ...session, lastUsedAt: at })
              }
            }
          }),
        changes: Stream.fromPubSub(changes),
        live: Effect.succeed(true)
      }
    })
  )
}
