import type { Send } from "@agent-marketplace/client/requests/Send"

/** Controls of a simulated chain and of a test market's time. */
export interface SimulationCalls {
  /** A transfer of a decimal amount of USDT to a deposit address. It is credited once it is final, after about three seconds. */
  readonly deposit: (address: string, amount: string) => Promise<void>
  /** Moves the market's time forward and runs all due work: deposits, renewals, expiries, webhooks. Returns the new time. */
  readonly advance: (seconds: number) => Promise<Date>
}

/** `runDue` runs all due work. */
export const simulationCalls = (operator: Send, runDue: () => Promise<void>): SimulationCalls => {
  const post = (path: string, body: unknown) =>
    operator({ method: "POST", path: `/api/v1/admin/${path}`, body, options: {} })
  return {
    deposit: async (address, amount) => {
      await post("simulated-chain/deposits", { address, amount })
    },
    advance: async (seconds) => {
      const { now } = (await post("clock", { advanceSeconds: seconds })) as { readonly now: string }
      await runDue()
      return new Date(now)
    }
  }
}
