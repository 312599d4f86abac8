/**
 * The environment, out of which the hot wallet's key is taken, so that no copy of it contains the key (CHAIN-5). To be called before anything else is
 * loaded: some modules copy the environment as they are loaded, and keep it.
 */
export const takeEnvironment = (): Readonly<Record<string, string | undefined>> => {
  const environment = { ...process.env }
  delete process.env["TRON_HOT_WALLET_KEY"]
  return environment
}
