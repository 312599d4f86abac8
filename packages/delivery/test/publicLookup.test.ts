import type { LookupAddress, LookupOptions } from "node:dns"
import { assert, describe, it } from "vitest"
import type { NameResolver } from "../src/NameResolver.ts"
import { publicLookup, TargetRefused } from "../src/ReceiverAddressRules.ts"

const look = (resolve: NameResolver, options: LookupOptions = { all: true }) =>
  new Promise<{ error: Error | null; address: string | Array<LookupAddress>; family: number | undefined }>((done) => {
    publicLookup(resolve)("receiver.example", options, (error, address, family) => done({ error, address, family }))
  })

describe("the addresses that a connection uses (WEBHOOK-9)", () => {
  const outside: NameResolver = () => Promise.resolve(["8.8.8.8", "2606:4700::1111"])

  it("exactly the checked addresses", async () => {
    const all = await look(outside)
    assert.isNull(all.error)
    assert.deepStrictEqual(all.address, [
      { address: "8.8.8.8", family: 4 },
      { address: "2606:4700::1111", family: 6 }
    ])
    assert.deepInclude(await look(outside, {}), { error: null, address: "8.8.8.8", family: 4 })
  })

  it("none if one of them is private, or if there are none", async () => {
    const mixed = await look(() => Promise.resolve(["8.8.8.8", "127.0.0.1"]))
    assert.instanceOf(mixed.error, TargetRefused)
    assert.deepStrictEqual(mixed.address, [])
    assert.instanceOf((await look(() => Promise.resolve([]))).error, Error)
  })

  it("this machine for `localhost` if loopback is allowed, without a query to a name server (WEBHOOK-11)", async () => {
    const never: NameResolver = () => Promise.reject(new Error("looked up"))
    const found = await new Promise((done) =>
      publicLookup(never, "loopback")("localhost", { all: true }, (_, address) => done(address))
    )
    assert.deepStrictEqual(found, [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 }
    ])
  })

  it("the present result of every look-up", async () => {
    let asked = 0
    const rebinding: NameResolver = () => Promise.resolve([["8.8.8.8"], ["127.0.0.1"]][asked++] ?? [])
    assert.isNull((await look(rebinding)).error)
    assert.instanceOf((await look(rebinding)).error, TargetRefused)
  })
})
