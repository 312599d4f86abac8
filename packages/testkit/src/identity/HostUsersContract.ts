import type { HostUser, HostUserSource } from "@agent-marketplace/core/identity/HostUsers"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

type Presented = Readonly<Record<string, string | undefined>>

/** Invalid credentials that an attacker could send. */
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

/** The same text with one character changed at the start, in the middle or near the end. */
const altered = (presented: Presented): ReadonlyArray<Presented> =>
  Object.entries(presented).flatMap(([name, value = ""]) =>
    [0.3, 0.5, 0.8].map((part) => {
      const at = Math.floor(value.length * part)
      const other = value[at] === "A" ? "B" : "A"
      return { ...presented, [name]: value.slice(0, at) + other + value.slice(at + 1) }
    })
  )

/**
 * The contract of `HostUsers`. `one` and `again` are credentials of the same user, in two sessions if the host has sessions. `other`
 * is a credential of another user, `ended` one that is no longer valid.
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
    it.effect("a user has the same id in every session, a text of 1 to 255 characters", () =>
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

    it.effect("invalid credentials identify no user and cause no error", () =>
      Effect.gen(function* () {
        for (const presented of strange(Object.keys(given.one))) assert.isNull(yield* users.recognise(presented))
      })
    )

    it.effect("a credential with one changed character identifies no user", () =>
      Effect.gen(function* () {
        for (const presented of altered(given.one)) assert.isNull(yield* users.recognise(presented))
      })
    )

    it.effect("a credential that is no longer valid identifies no user", () =>
      Effect.gen(function* () {
        assert.isNull(yield* users.recognise(given.ended))
      })
    )
  })
}
