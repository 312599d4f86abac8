import type { Session } from "@agent-marketplace/client/wire/Endpoints"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Confirm } from "../../ui/Confirm.tsx"
import { demonstrationQuery, removeDemonstration } from "./demonstration.ts"
import { Tour } from "./Tour.tsx"
import { useTourState } from "./tourState.ts"

const Removal = ({ own }: { readonly own: boolean }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const onDone = () => {
    if (!own) return void client.invalidateQueries()
    void navigate({ to: "/first-run", hash: "removed" }).then(() => client.clear())
  }
  return (
    <Confirm
      button="Remove the demonstration data"
      title="Remove the demonstration data?"
      danger
      quiet
      act={removeDemonstration}
      onDone={onDone}
    >
      All purchases of demonstration items are refunded, also those of other accounts, whose licenses of them end. Then
      the demonstration accounts are erased with their items, agents and simulated money
      {own ? ", and you are signed out" : ""}. Other accounts and their items stay. This takes some seconds and cannot
      be undone.
    </Confirm>
  )
}

const TourOfOwner = ({ account }: { readonly account: string }) => {
  const [state, change] = useTourState(account)
  return state.closed ? (
    <button
      type="button"
      className="button mb-6"
      onClick={() => change({ closed: false, ...(state.step === 4 ? { step: 1, purchase: null } : {}) })}
    >
      Show the tour
    </button>
  ) : (
    <Tour state={state} change={change} />
  )
}

/** Says that the market shows demonstration data, and removes it for its owner and the operator (CONSOLE-56, CONSOLE-58). */
const DemonstrationBar = ({ session: { account, operator } }: { readonly session: Session }) => {
  const { data } = useQuery(demonstrationQuery)
  if (data?.present !== true) return null
  const own = account !== null && account.id === data.owner
  return (
    <>
      <aside
        aria-label="Demonstration data"
        className="mb-6 flex flex-wrap items-center justify-between gap-3 rounded-lg border border-warn p-3"
      >
        <p className="min-w-0 flex-1 basis-60">
          <strong className="text-warn">Demonstration data.</strong>{" "}
          {own
            ? "This account, its agents and its simulated money belong to a demonstration, and so does every account with “(demo)” in its name."
            : "Accounts with “(demo)” in their name, “Demo owner” and their items belong to a demonstration."}
        </p>
        {own || operator ? <Removal own={own} /> : null}
      </aside>
      {own ? <TourOfOwner account={account.id} /> : null}
    </>
  )
}

export default DemonstrationBar
