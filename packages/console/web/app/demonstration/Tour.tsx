import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useRouterState } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import { Money } from "../../ui/Money.tsx"
import { Alert } from "../../ui/Page.tsx"
import { market, messageOf } from "../market.ts"
import { useAct } from "../useAct.ts"
import type { Errand } from "./agentPurchase.ts"
import { buyAsAgent, errandQuery } from "./agentPurchase.ts"
import type { TourState } from "./tourState.ts"

const titles = ["Look at a limit", "Let the agent go above it", "Decide", "It has the license"] as const

interface StepProps {
  readonly errand: Errand
  readonly state: TourState
  readonly change: (changes: Partial<TourState>) => void
}

const LookAtLimit = ({ change, errand: { agent, threshold } }: StepProps) => (
  <>
    <p>
      <span dir="auto">{agent.name}</span> buys by itself up to <Money amount={threshold} />. Anything above waits for
      you.
    </p>
    <div className="flex flex-wrap gap-3">
      <Link to="/agents/$id" params={{ id: agent.id }} className="button">
        Show its limits
      </Link>
      <button type="button" className="button button-primary" onClick={() => change({ step: 2 })}>
        Next
      </button>
    </div>
  </>
)

const LetItBuy = ({ change, errand }: StepProps) => {
  const navigate = useNavigate()
  const { error, isPending, mutate } = useAct(async (_: void) => {
    const purchase = await buyAsAgent(errand)
    change({ step: 3, purchase })
    await navigate({ to: "/" })
  }, "approvals")
  const { agent, item } = errand
  return (
    <>
      <p>
        {item.title} costs <Money amount={item.price} />, more than <span dir="auto">{agent.name}</span> may spend
        alone. The button makes it buy over the API, with a key of its own that ends afterwards.
      </p>
      {error === null ? null : <Alert>{messageOf(error)}</Alert>}
      <button
        type="button"
        className="button button-primary justify-self-start"
        disabled={isPending}
        onClick={() => mutate()}
      >
        {isPending ? "One moment…" : `Let it buy ${item.title}`}
      </button>
    </>
  )
}

const Decide = ({ change, errand: { item }, state: { purchase } }: StepProps) => {
  const { data } = useQuery({
    queryKey: ["purchases", purchase, "tour"],
    queryFn: () => market.purchases.get(purchase ?? ""),
    enabled: purchase !== null,
    refetchInterval: 2000
  })
  const isInbox = useRouterState({ select: ({ location }) => location.pathname === "/" })
  const done = data?.status === "completed"
  useEffect(() => {
    if (done) change({ step: 4 })
  })
  if (data?.status === "failed")
    return (
      <>
        <p>You rejected it. Nothing was bought, and the money is available again.</p>
        <button type="button" className="button justify-self-start" onClick={() => change({ step: 2, purchase: null })}>
          Let it try again
        </button>
      </>
    )
  return (
    <>
      <p>
        The purchase of {item.title} waits in your inbox, where it appeared by itself. Its price is held. Approve it,
        and the tour goes on.
      </p>
      {isInbox ? null : (
        <Link to="/" className="button justify-self-start">
          Open the inbox
        </Link>
      )}
    </>
  )
}

const Finish = ({ change, errand: { agent }, state: { purchase } }: StepProps) => (
  <>
    <p>
      You approved it, so the money was paid and <span dir="auto">{agent.name}</span> has a license. The page of the
      purchase has the license key and the line that installs the item.
    </p>
    <div className="flex flex-wrap gap-3">
      <Link to="/purchases/$id" params={{ id: purchase ?? "" }} className="button button-primary">
        Show the purchase
      </Link>
      <button type="button" className="button" onClick={() => change({ closed: true })}>
        Finish the tour
      </button>
    </div>
  </>
)

const steps: ReadonlyArray<(props: StepProps) => ReactNode> = [LookAtLimit, LetItBuy, Decide, Finish]

/** Four steps that end with a purchase that waited for approval (CONSOLE-59). It stands above the page and covers nothing. */
export const Tour = ({ change, state }: Omit<StepProps, "errand">) => {
  const { data: errand } = useQuery(errandQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  const { step } = state
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    // The button that was pressed is gone. A step that ended elsewhere takes no focus.
    if (document.activeElement === document.body) heading.current?.focus()
  }, [step])
  if (errand === undefined || errand === null) return null
  const Step = steps[step - 1] ?? LookAtLimit
  const title = titles[step - 1] ?? titles[0]
  return (
    <section aria-label="Tour" className="card mb-6 grid grid-cols-[minmax(0,1fr)] gap-3 border-accent p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p role="status" className="number text-sm text-muted">
            Step {step} of {steps.length}
            <span className="sr-only">: {title}</span>
          </p>
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
        </div>
        <button type="button" className="button" onClick={() => change({ closed: true })}>
          Close the tour
        </button>
      </div>
      <Step errand={errand} state={state} change={change} />
    </section>
  )
}
