import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import { assert } from "vitest"

/** The error of a call that must fail, with this status and code. */
export const expectFailure = async (
  call: Promise<unknown>,
  statusCode: number,
  code: string
): Promise<MarketplaceError> => {
  const error = await call.then(
    (value) => assert.fail(`succeeded with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown
  )
  assert.instanceOf(error, MarketplaceError)
  assert.strictEqual(error.name, "MarketplaceError")
  assert.deepStrictEqual([error.statusCode, error.code], [statusCode, code], error.message)
  assert.isNotEmpty(error.message)
  return error
}
