import { SimulatedDepositInput } from "@agent-marketplace/api/admin/AdminSchemas"
import { KeyInput } from "@agent-marketplace/api/identity/IdentityInputs"
import { WithdrawalInput } from "@agent-marketplace/api/wallets/WalletSchemas"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeBusinessRules } from "../../src/edge/BusinessRules.ts"
import { marketLayer } from "../fixtures/startMarket.ts"

const target = { caller: null, id: undefined }
const expired = { expiresAt: "2001-01-01T00:00:00.000Z" }

describe("business rules for a body (ERROR-2)", () => {
  it.live("apply to every copy of the schema, whatever its identifier", () =>
    Effect.gen(function* () {
      const rulesOf = yield* makeBusinessRules
      for (const schema of [KeyInput, KeyInput.annotate({ identifier: "Renamed" })]) {
        const issues = yield* rulesOf(schema)(expired, target)
        assert.deepStrictEqual(issues, [{ path: "expiresAt", message: "must be in the future" }])
      }
    }).pipe(Effect.provide(marketLayer({})))
  )

  it.live("are separate for two schemas with the same identifier", () =>
    Effect.gen(function* () {
      const rulesOf = yield* makeBusinessRules
      const alike = (schema: typeof WithdrawalInput | typeof SimulatedDepositInput) =>
        rulesOf(schema.annotate({ identifier: "Payment" }))({ address: "T1", destinationAddress: "T1" }, target)
      const paths = (yield* Effect.all([alike(WithdrawalInput), alike(SimulatedDepositInput)])).map((issues) =>
        issues.map(({ path }) => path)
      )
      assert.deepStrictEqual(paths, [["destinationAddress"], ["address"]])
      const stranger = Schema.Struct({ expiresAt: Schema.String }).annotate({ identifier: "KeyInput" })
      assert.deepStrictEqual(yield* rulesOf(stranger)(expired, target), [])
    }).pipe(Effect.provide(marketLayer({})))
  )
})
