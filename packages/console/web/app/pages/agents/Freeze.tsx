import type { Agent } from "@agent-marketplace/client/wire/Endpoints"
import { Confirm } from "../../../ui/Confirm.tsx"
import { Alert } from "../../../ui/Page.tsx"
import { market, messageOf } from "../../market.ts"
import { useAct, useRenew } from "../../useAct.ts"

/** Freezes with one press, because it costs nothing and hurry matters; the way back asks. */
export const Freeze = ({ agent: { frozenAt, id, name } }: { readonly agent: Agent }) => {
  const renew = useRenew()
  const { error, isPending, mutate } = useAct(() => market.agents.freeze(id), "agents", "approvals")
  if (frozenAt !== null)
    return (
      <Confirm
        button="Unfreeze"
        label={`Unfreeze ${name}`}
        title={`Unfreeze ${name}?`}
        quiet
        act={() => market.agents.unfreeze(id)}
        onDone={() => void renew("agents")}
      >
        It can buy and change things again, within its limits.
      </Confirm>
    )
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`Freeze ${name}`}
        disabled={isPending}
        onClick={() => mutate(undefined)}
      >
        Freeze
      </button>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
    </>
  )
}
