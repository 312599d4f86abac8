import { wipeEnvironment } from "./wipeEnvironment.ts"

/** The variables that contain a key. */
const keys = ["TRON_HOT_WALLET_KEY"]

/**
 * The environment, out of which the hot wallet's key is taken, so that no copy of it contains the key (CHAIN-5), and no other process of the same user
 * reads it from `/proc` (SIGNER-11). To be called before anything else is loaded: some modules copy the environment as they are loaded, and keep it.
 */
export const takeEnvironment = (): Readonly<Record<string, string | undefined>> => {
  const environment = { ...process.env }
  const given = keys.filter((name) => process.env[name] !== undefined)
  for (const name of given) delete process.env[name]
  if (given.length > 0 && !wipeEnvironment(given))
    process.stderr.write(
      `${given.join(", ")} stays readable in the environment of this process for its user: use a signer outside of it, or Linux\n`
    )
  return environment
}
