import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { Loaded } from "../../../ui/Loaded.tsx"
import { Empty, Page } from "../../../ui/Page.tsx"
import { Age } from "./Facts.tsx"
import { inWords } from "../../../ui/inWords.ts"
import { most, readQueue } from "./queue.ts"
import type { Waiting } from "./queue.ts"
import { AppealDecision, ListingDecision, ReleaseDecision, ReportDecision } from "./QueueDecisions.tsx"

const titleOf = (waiting: Waiting): string => {
  switch (waiting.kind) {
    case "listing":
      return waiting.record.name
    case "release":
      return `${waiting.record.itemId}, version ${waiting.record.version}`
    case "report":
      return waiting.record.text
    case "appeal":
      return waiting.record.text
  }
}

const kindOf = (waiting: Waiting): string => {
  switch (waiting.kind) {
    case "listing":
      return waiting.record.pendingChanges === null ? "New listing" : "Changed listing"
    case "release":
      return "Release"
    case "report":
      return `Report: ${inWords(waiting.record.reason)}`
    case "appeal":
      return `Appeal: ${inWords(waiting.record.subject)}`
  }
}

const Decision = ({ waiting }: { readonly waiting: Waiting }) => {
  switch (waiting.kind) {
    case "listing":
      return <ListingDecision listing={waiting.record} />
    case "release":
      return <ReleaseDecision release={waiting.record} />
    case "report":
      return <ReportDecision report={waiting.record} />
    case "appeal":
      return <AppealDecision appeal={waiting.record} />
  }
}

const Entry = ({ waiting }: { readonly waiting: Waiting }) => {
  const [open, setOpen] = useState(false)
  const panel = useId()
  const title = titleOf(waiting)
  return (
    <li className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 basis-60 grow">
          <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
            {kindOf(waiting)} <Age since={waiting.since} />
          </p>
          <h2 className={`wrap-anywhere ${open ? "" : "line-clamp-2"}`} dir="auto">
            {title}
          </h2>
        </div>
        <button
          type="button"
          className="button"
          aria-expanded={open}
          aria-controls={panel}
          aria-label={`${open ? "Close" : "Decide"}: ${title.slice(0, 80)}`}
          onClick={() => setOpen(!open)}
        >
          {open ? "Close" : "Decide"}
        </button>
      </div>
      <div id={panel} className="border-t border-line pt-4" hidden={!open}>
        {open ? <Decision waiting={waiting} /> : null}
      </div>
    </li>
  )
}

const size = 50

/** Listings, releases, reports and appeals that wait for a decision, oldest first (CONSOLE-30). */
const Queue = () => {
  const [shown, setShown] = useState(size)
  const query = useQuery({ queryKey: ["operator", "queue"], queryFn: readQueue, refetchInterval: 30_000 })
  return (
    <Page title="Queue" lead="Listings and releases in review, reports and appeals, oldest first.">
      <Loaded query={query}>
        {({ more, waiting }) =>
          waiting.length === 0 ? (
            <Empty title="Nothing waits for a decision">
              New listings and releases to review, reports and appeals appear here by themselves.
            </Empty>
          ) : (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
                {waiting.slice(0, shown).map((one) => (
                  <Entry key={one.id} waiting={one} />
                ))}
              </ul>
              {waiting.length > shown ? (
                <button
                  type="button"
                  className="button justify-self-center"
                  onClick={() => setShown((before) => before + size)}
                >
                  Show more
                </button>
              ) : null}
              {more ? (
                <p className="text-sm text-muted">
                  The oldest {most} of each kind are loaded. The others follow as you decide.
                </p>
              ) : null}
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

export default Queue
