import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { hasUnknownResult, isRefused, market } from "../../market.ts"
import { sessionQuery } from "../../session.ts"
import { useRenew } from "../../useAct.ts"
import type { Attempt } from "./attempts.ts"
import { attempts } from "./attempts.ts"

/** Requests withdrawals, and remembers the one whose result is not known (CONSOLE-67). */
export const useWithdrawal = () => {
  const account = useQuery(sessionQuery).data?.account?.id ?? ""
  const renew = useRenew()
  const [open, setOpen] = useState(() => attempts.get(account))
  const [requested, setRequested] = useState<Attempt>()
  const settle = () => {
    attempts.remove(account)
    setOpen(undefined)
  }
  const send = async (attempt: Attempt): Promise<void> => {
    const { amount, destinationAddress, quote } = attempt
    // Stored before it is sent, because the page may be closed before the answer comes.
    attempts.set(account, attempt)
    try {
      await market.wallet.withdraw({ amount, destinationAddress, quote }, { idempotencyKey: quote })
    } catch (error) {
      if (hasUnknownResult(error)) setOpen(attempt)
      else if (isRefused(error)) settle()
      else if (open === undefined) attempts.remove(account)
      throw error
    } finally {
      void renew("wallet", "withdrawals")
    }
    settle()
    setRequested(attempt)
  }
  return { open, requested, send, forget: settle, clear: () => setRequested(undefined) }
}
