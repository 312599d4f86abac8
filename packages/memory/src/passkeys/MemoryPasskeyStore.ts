import { Conflict, InvalidApiKey } from "@agent-marketplace/core/errors/MarketError"
import type { AccountId, PasskeyId } from "@agent-marketplace/core/ids/Ids"
import type { Passkey } from "@agent-marketplace/core/passkeys/Passkey"
import { isNewer } from "@agent-marketplace/core/passkeys/Passkey"
import type { PasskeyUse } from "@agent-marketplace/core/passkeys/PasskeyStore"
import { PasskeyStore } from "@agent-marketplace/core/passkeys/PasskeyStore"
import { Effect, Layer, Option } from "effect"
import type { MarketTables } from "../MarketTables.ts"
import { MemoryMarket } from "../MemoryMarket.ts"
import { Timeline } from "../paging/Timeline.ts"
import { isActive, liveSession, passkeysOf, writeSession } from "../sessions/sessionRecords.ts"

type Store = PasskeyStore["Service"]

const byCredential = (tables: MarketTables, credentialId: string): Passkey | undefined =>
  [...tables.passkeys.values()].find((passkey) => passkey.credentialId === credentialId)

const ownOf = (tables: MarketTables, id: PasskeyId, owner: AccountId): Passkey | undefined => {
  const passkey = tables.passkeys.get(id)
  return passkey?.accountId === owner ? passkey : undefined
}

/** The passkey after this use; undefined if the use is refused. */
const used = (tables: MarketTables, { at, backedUp, counter, credentialId }: PasskeyUse): Passkey | undefined => {
  const passkey = byCredential(tables, credentialId)
  return passkey !== undefined && isNewer(counter, passkey.counter)
    ? { ...passkey, counter, backedUp, lastUsedAt: at }
    : undefined
}

const challenges = (tables: MarketTables): Pick<Store, "addChallenge" | "takeChallenge"> => ({
  addChallenge: (challenge) => Effect.sync(() => void tables.challenges.set(challenge.challenge, challenge)),
  takeChallenge: (challenge, now) =>
    Effect.sync(() => {
      const known = tables.challenges.get(challenge)
      tables.challenges.delete(challenge)
      for (const old of tables.challenges.values()) if (old.expiresAt <= now) tables.challenges.delete(old.challenge)
      return known !== undefined && known.expiresAt > now ? Option.some(known) : Option.none()
    })
})

const uses = ({ announce, tables }: MemoryMarket["Service"]): Pick<Store, "signIn" | "stepUp"> => ({
  signIn: (use, session) =>
    Effect.sync(() => {
      const passkey = used(tables, use)
      if (passkey?.accountId !== session.accountId) return false
      tables.passkeys.set(passkey.id, passkey)
      writeSession(tables, session)
      return true
    }),
  stepUp: (use, id, until) =>
    Effect.sync(() => {
      const passkey = used(tables, use)
      const session = liveSession(tables, id)
      const stored = tables.sessions.get(id)
      if (passkey === undefined || stored === undefined || session?.accountId !== passkey.accountId) return false
      tables.passkeys.set(passkey.id, passkey)
      tables.sessions.set(id, { ...stored, elevatedUntil: until })
      announce(id)
      return true
    })
})

const records = ({
  announce,
  tables
}: MemoryMarket["Service"]): Pick<Store, "add" | "find" | "list" | "remove" | "rename"> => ({
  add: (passkey, by, limit) =>
    Effect.suspend((): Effect.Effect<void, Conflict | InvalidApiKey> => {
      if (!isActive(tables, by)) return Effect.fail(new InvalidApiKey({ reason: "invalid" }))
      if (byCredential(tables, passkey.credentialId) !== undefined) {
        return Effect.fail(new Conflict({ state: "registered" }))
      }
      if (passkeysOf(tables, passkey.accountId).length >= limit) {
        return Effect.fail(new Conflict({ state: "too_many_passkeys", limit }))
      }
      tables.passkeys.set(passkey.id, passkey)
      announce(passkey.accountId)
      return Effect.void
    }),
  find: (credentialId) => Effect.sync(() => Option.fromUndefinedOr(byCredential(tables, credentialId))),
  list: (owner, page) =>
    Effect.sync(() =>
      Timeline.page(
        Timeline.newestFirst(passkeysOf(tables, owner), ({ createdAt }) => createdAt),
        page
      )
    ),
  rename: (id, owner, name) =>
    Effect.sync(() => {
      const passkey = ownOf(tables, id, owner)
      if (passkey === undefined) return Option.none()
      const renamed = { ...passkey, name }
      tables.passkeys.set(id, renamed)
      return Option.some(renamed)
    }),
  remove: (id, owner) =>
    Effect.sync(() => {
      if (ownOf(tables, id, owner) === undefined) return false
      tables.passkeys.delete(id)
      announce(owner)
      return true
    })
})

export const MemoryPasskeyStore: { readonly layer: Layer.Layer<PasskeyStore, never, MemoryMarket> } = {
  layer: Layer.effect(
    PasskeyStore,
    Effect.map(MemoryMarket, (market) => ({ ...challenges(market.tables), ...uses(market), ...records(market) }))
  )
}
