import { hostUsersContract } from "@agent-marketplace/testkit/identity/HostUsersContract"
import { hostUserSource } from "../../src/marketLayer.ts"
import type { RecogniseUser } from "../../src/options/MarketplaceOptions.ts"

interface Example {
  readonly makeSessions: (secret: string) => {
    readonly begin: (user: { readonly id: string; readonly name: string }, seconds: number) => string
    readonly recognise: RecogniseUser
  }
}

const example = new URL("../../../../docs/embedding/sessions.ts", import.meta.url)
const { makeSessions } = (await import(example.href)) as Example

const sessions = makeSessions("a secret of the host's own")
const cookieOf = (id: string, seconds = 3600) => ({ cookie: sessions.begin({ id, name: `User ${id}` }, seconds) })

hostUsersContract("the signed cookies of the documentation", hostUserSource(sessions.recognise), {
  one: cookieOf("1"),
  again: cookieOf("1", 7200),
  other: cookieOf("2"),
  ended: cookieOf("1", -1)
})
