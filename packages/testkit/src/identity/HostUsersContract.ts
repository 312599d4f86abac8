import type { HostUser, HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

type Presented = Readonly<Record<string, string | undefined>>

/** What a stranger may send where a session or a token is looked for. */
const nonsense = [
  "",
  " ",
  "null",
  "undefined",
  "Bearer",
  "Bearer ",
  "a.b.c",
  "..",
  "__proto__",
  "%00",
  "\ufffd",
  "ä",
  "0"
]

const strange = (names: ReadonlyArray<string>): ReadonlyArray<Presented> => [
  {},
  { host: "market.example", accept: "*/*" },
  ...[...nonsense, "x".repeat(20_000), "=;".repeat(5000)].map((value) =>
    Object.fromEntries(names.map((name) => [name, value]))
  )
]

/** The same with one character changed at the beginning, in the middle or before the end. */
const altered = (presented: Presented): ReadonlyArray<Presented> =>
  Object.entries(presented).flatMap(([name, value = ""]) =>
    [0.3, 0.5, 0.8].map((part) => {
      const at = Math.floor(value.length * part)
      const other = value[at] === "A" ? "B" : "A"
      return { ...presented, [name]: value.slice(0, at) + other + value.slice(at + 1) }
    })
  )

/**
 * What every adapter of `HostUsers` owes. `one` and `again` present the same user, in two sessions where there are sessions; `other`
 * presents another one; `ended` somebody who was believed once.
 */
export const hostUsersContract = (
  name: string,
  users: HostUserSource,
  given: { readonly one: Presented; readonly again: Presented; readonly other: Presented; readonly ended: Presented }
): void => {
  const userOf = Effect.fnUntraced(function* (presented: Presented) {
    const user: HostUser | null = yield* users.recognise(presented)
    assert.isNotNull(user)
    return user
  })

  describe(`${name}: HostUsers`, () => {
    it.effect("a user has one id, whatever session is presented, and it is a text of 1 to 255 characters", () =>
      Effect.gen(function* () {
        const user = yield* userOf(given.one)
        assert.match(user.id, /^[^\0]{1,255}$/)
        assert.match(user.name.trim(), /^[^\0]{1,100}$/)
        assert.strictEqual((yield* userOf(given.again)).id, user.id)
      })
    )

    it.effect("two users have two ids", () =>
      Effect.gen(function* () {
        assert.notStrictEqual((yield* userOf(given.one)).id, (yield* userOf(given.other)).id)
      })
    )

    it.effect("nothing that a stranger presents is a user or an error", () =>
      Effect.gen(function* () {
        for (const presented of strange(Object.keys(given.one))) assert.isNull(yield* users.recognise(presented))
      })
    )

    it.effect("a credential with one character changed is nobody's", () =>
      Effect.gen(function* () {
        for (const presented of altered(given.one)) assert.isNull(yield* users.recognise(presented))
      })
    )

    it.effect("who is not believed any more is nobody", () =>
      Effect.gen(function* () {
        assert.isNull(yield* users.recognise(given.ended))
      })
    )
  })
}
