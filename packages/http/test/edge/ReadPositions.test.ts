import { afterAll, assert, it } from "vitest"
import { startMarket } from "../fixtures/startMarket.ts"

const market = startMarket()
afterAll(market.stop)

it("a position is 16 hexadecimal digits in upper or lower case (DATABASE-9)", async () => {
  const { key } = await market.account()
  const statusWith = async (position: string) =>
    (await market.send("GET", "/v1/listings", { key, headers: { "x-market-position": position } })).status
  for (const position of ["0".repeat(16), "00000000016B3748", "00000000016b3748", "F".repeat(16)])
    assert.strictEqual(await statusWith(position), 200, position)
  for (const position of ["F".repeat(15), "F".repeat(17), "G".repeat(16), "0x00000000000000", " "])
    assert.strictEqual(await statusWith(position), 400, position)
})
