import { readManagedKey } from "@agent-marketplace/settings/SignerConfiguration"
import { awsKey } from "@agent-marketplace/tron/signing/awsKey"
import { kmsAddress } from "@agent-marketplace/tron/signing/KmsSigner"
import { Effect, Result } from "effect"
import { Command } from "effect/cli"
import { CommandFailure, exitCodes, usageFailure } from "../errors/CommandFailure.ts"
import { CliContext } from "../terminal/CliContext.ts"
import { report } from "../terminal/report.ts"
import { fields } from "../terminal/table.ts"

/** The key that the environment names. The rest of the worker's configuration is not needed: the address is required to complete it. */
const configuredKey = Effect.gen(function* () {
  const { env } = yield* CliContext
  const faults: Array<string> = []
  const optional = <A>(name: string, read: (value: string) => Result.Result<A, string>): A | undefined => {
    const value = env[name]?.trim() ?? ""
    if (value === "") return undefined
    const result = read(value)
    if (Result.isSuccess(result)) return result.success
    faults.push(`${name} ${result.failure}`)
    return undefined
  }
  const { managedKey } = readManagedKey(optional, (sentence) => void faults.push(sentence))
  if (faults.length > 0) return yield* usageFailure(faults.join("; "))
  return managedKey ?? (yield* usageFailure("TRON_KMS_KEY_ID must be set", "Use the environment of the worker."))
})

/** The TRON address of the KMS key, to be configured as the address of the hot wallet or of the signer (SIGNER-12). */
export const kmsAddressCommand = Command.make("kms-address", {}, () =>
  Effect.gen(function* () {
    const key = yield* configuredKey
    const address = yield* Effect.mapError(
      kmsAddress(awsKey(key)),
      ({ reason }) =>
        new CommandFailure({
          code: "SIGNER_UNAVAILABLE",
          message: reason,
          hint: "The command needs @aws-sdk/client-kms, credentials, and the permission kms:GetPublicKey for the key.",
          exitCode: exitCodes.unreachable
        })
    )
    const { env } = yield* CliContext
    const expected = env["TRON_SIGNER_ADDRESS"]?.trim() || env["TRON_HOT_WALLET_ADDRESS"]?.trim() || null
    const data = { keyId: key.keyId, address, configured: expected }
    yield* report(data, (page) =>
      fields(page, [
        ["key", key.keyId],
        ["address", address],
        ["configured", expected ?? "no address yet: set TRON_HOT_WALLET_ADDRESS"]
      ])
    )
    if (expected === null || expected === address) return
    const message = `the key belongs to ${address}, but ${expected} is configured: payouts would wait`
    return yield* new CommandFailure({ code: "OTHER_ADDRESS", message, exitCode: exitCodes.failure })
  })
).pipe(Command.withDescription("Show the TRON address of the KMS key that TRON_KMS_KEY_ID names"))
