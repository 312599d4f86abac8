import type { Caller } from "@agent-marketplace/core/identity/Caller"
import { Identity } from "@agent-marketplace/core/identity/Identity"
import { IdentityStore } from "@agent-marketplace/core/identity/IdentityStore"
import { Effect, Option } from "effect"
import { Digest } from "effect/crypto"

/** The accounts of the demonstration. Their names say so wherever they are shown (CONSOLE-56). */
export const people = {
  owner: { name: "Demo owner", seller: true },
  tools: { name: "Northwind Tools (demo)", seller: true },
  research: { name: "Atlas Research (demo)", seller: true },
  desk: { name: "Quiet Desk (demo)", seller: true },
  first: { name: "First customer (demo)", seller: false },
  second: { name: "Second customer (demo)", seller: false }
} as const

export type Role = keyof typeof people

/** In the order in which they are erased: the owner last, because a demonstration is there as long as its owner is. */
export const roles: ReadonlyArray<Role> = ["first", "second", "tools", "research", "desk", "owner"]

/** The owner's name until the shop is complete. */
export const unfinishedName = "Owner (demo)"

const idOf = (role: Role): string => `demonstration:${role}`

/**
 * The account of a role, which is made on the first call. It has a key without a token, as users of a host application have, so nobody can sign
 * in to it over the API and no program needs to keep a key. With an agent, the caller is that agent.
 */
export const person = Effect.fnUntraced(function* (role: Role, agentId?: string) {
  const { name, seller } = people[role]
  const identity = yield* Identity
  return yield* identity
    .recognise({ id: idOf(role), name: role === "owner" ? unfinishedName : name, seller, agentId })
    .pipe(Effect.catchTags({ ValidationFailed: Effect.die, InvalidApiKey: Effect.die }))
})

/** The account of a role, if it was made and not erased. */
export const findPerson = Effect.fnUntraced(function* (role: Role) {
  const digest = yield* Digest.Digest
  const store = yield* IdentityStore
  const hash = yield* digest.digestHex(Digest.sha256, new TextEncoder().encode(idOf(role)))
  return Option.getOrNull<Caller>(yield* store.findCaller(`host:${hash}`))
})
