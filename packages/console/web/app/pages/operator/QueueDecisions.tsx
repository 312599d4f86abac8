import type { AdminListing } from "@agent-marketplace/client/wire/Endpoints"
import type {
  AdminAppeal,
  AdminReport,
  ResolveReportInput,
  WaitingRelease
} from "@agent-marketplace/client/wire/OperatorEndpoints"
import { useState } from "react"
import { SelectField } from "../../../ui/Field.tsx"
import { inWords } from "../../../ui/inWords.ts"
import { Markdown } from "../../../ui/Markdown.tsx"
import { Price } from "../../../ui/Money.tsx"
import { TrustBadge } from "../../../ui/Trust.tsx"
import { Decide, DecisionFields, useDecision } from "./Decision.tsx"
import { AccountLink, Facts, ItemLink } from "./Facts.tsx"
import { operator, useRenew } from "./operations.ts"

const buttons = "flex flex-wrap gap-3"

export const ListingDecision = ({ listing }: { readonly listing: AdminListing }) => {
  const decision = useDecision("policy")
  const onDone = useRenew()
  const { creator, id, name, pendingChanges, updatedAt } = listing
  /** Decides about the listing as it is shown; if it was changed since, the list is loaded again (OPERATOR-33). */
  const aboutShown = async <A,>(decided: Promise<A>): Promise<A> => {
    try {
      return await decided
    } catch (error) {
      onDone()
      throw error
    }
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts
        rows={[
          ["Listing", <ItemLink id={id} />],
          ["Creator", <AccountLink id={creator.id} />],
          ["Price", <Price {...listing} price={String(listing.price)} />],
          ["Category", listing.category],
          ["Scan", <TrustBadge level={listing.trust} />],
          ["Installs from", listing.installUrl],
          ["Description", listing.description],
          ...Object.entries(pendingChanges ?? {}).map(
            ([field, value]) => [`New: ${inWords(field)}`, value ?? "removed"] as const
          )
        ]}
      />
      {listing.longDescription === null ? null : (
        <details>
          <summary className="cursor-pointer font-medium">Full description</summary>
          <Markdown text={listing.longDescription} />
        </details>
      )}
      <DecisionFields
        code
        decision={decision}
        hint="The creator reads it when you reject. When you approve it is optional and stays in the action log."
      />
      <div className={buttons}>
        <Decide
          button="Approve"
          label={`Approve ${name}`}
          title={`Approve ${name}?`}
          decision={decision}
          optional
          act={(reason) =>
            aboutShown(operator.approveListing(id, reason === "" ? { updatedAt } : { reason, updatedAt }))
          }
          onDone={onDone}
        >
          Everybody can find and buy it for <Price {...listing} price={String(listing.price)} />.
        </Decide>
        <Decide
          button="Reject"
          label={`Reject ${name}`}
          title={`Reject ${name}?`}
          danger
          decision={decision}
          act={(reason, code) => aboutShown(operator.rejectListing(id, { reason, code, updatedAt }))}
          onDone={onDone}
        >
          The creator reads your reason and can appeal once.
        </Decide>
      </div>
    </div>
  )
}

export const ReleaseDecision = ({ release }: { readonly release: WaitingRelease }) => {
  const decision = useDecision("other")
  const onDone = useRenew()
  const { itemId, level, version } = release
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts
        rows={[
          ["Item", <ItemLink id={itemId} />],
          ["Version", version],
          ["Scan", <TrustBadge level={level} />],
          ["Why it waits", release.reason?.text ?? "Every release is reviewed."]
        ]}
      />
      <DecisionFields code decision={decision} hint="The creator reads it." />
      <div className={buttons}>
        <Decide
          button="Release"
          label={`Release version ${version}`}
          title={`Put version ${version} on sale?`}
          decision={decision}
          act={(reason) => operator.release(itemId, { reason, versions: [version] })}
          onDone={onDone}
        >
          Everybody who holds a license can install it.
        </Decide>
        <Decide
          button="Quarantine"
          label={`Quarantine version ${version}`}
          title={`Quarantine version ${version}?`}
          danger
          decision={decision}
          act={(reason, code) => operator.quarantine(itemId, { reason, code, versions: [version] })}
          onDone={onDone}
        >
          Nobody can buy or install it until you release it. The creator reads your reason and can appeal once.
        </Decide>
      </div>
    </div>
  )
}

type Action = ResolveReportInput["action"]

const consequences: Readonly<Record<Action, readonly [option: string, consequence: string]>> = {
  none: ["Do nothing to the item", "The item stays as it is. A quarantine that reports caused ends."],
  suspend: ["Suspend the item", "Nobody can buy it until you restore it. Licenses stay valid."],
  quarantine: [
    "Quarantine the item",
    "Nobody can buy or install it until you release it. License holders get an advisory."
  ],
  revoke: [
    "Revoke the item for good",
    "Nobody can ever buy or install it again, and license holders get an advisory. This cannot be undone. Nobody is refunded: to refund, revoke it on its own page."
  ]
}

export const ReportDecision = ({ report }: { readonly report: AdminReport }) => {
  const { reason: about } = report
  const decision = useDecision(about)
  const [action, setAction] = useState<Action>("none")
  const onDone = useRenew()
  const [option, consequence] = consequences[action]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts
        rows={[
          ["Item", <ItemLink id={report.itemId} />],
          ["Reported as", inWords(about)],
          ["Reported by", <AccountLink id={report.reporterId} />],
          ["Report", report.text]
        ]}
      />
      <SelectField
        label="Action"
        options={Object.entries(consequences).map(([value, [text]]) => [value, text] as const)}
        value={action}
        onChange={({ target }) => setAction(target.value as Action)}
      />
      <DecisionFields code decision={decision} hint="The creator reads it; never name who reported." />
      <div className={buttons}>
        <Decide
          button="Resolve"
          label={`Resolve the report about ${report.itemId}`}
          title={`${option}?`}
          danger={action !== "none"}
          decision={decision}
          act={(reason, code) => operator.resolveReport(report.id, { action, reason, code })}
          onDone={onDone}
        >
          {consequence} All open reports of the item are resolved.
        </Decide>
      </div>
    </div>
  )
}

export const AppealDecision = ({ appeal }: { readonly appeal: AdminAppeal }) => {
  const decision = useDecision()
  const onDone = useRenew()
  const { id, subject, version } = appeal
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Facts
        rows={[
          ["Item", <ItemLink id={appeal.itemId} />],
          ["Creator", <AccountLink id={appeal.creatorId} />],
          ["Appeals", version === null ? `The ${subject}` : `The ${subject} of version ${version}`],
          ["Reason of the decision", appeal.reason],
          ["Kind of reason", appeal.code === null ? null : inWords(appeal.code)],
          ["Appeal", appeal.text]
        ]}
      />
      <DecisionFields decision={decision} hint="The creator reads it as your answer." />
      <div className={buttons}>
        <Decide
          button="Overturn"
          label={`Overturn the ${subject}`}
          title={`Undo the ${subject}?`}
          decision={decision}
          act={(reason) => operator.decideAppeal(id, { decision: "overturned", reason })}
          onDone={onDone}
        >
          The item is on sale again, unless a later decision keeps it off sale.
        </Decide>
        <Decide
          button="Uphold"
          label={`Uphold the ${subject}`}
          title={`Keep the ${subject}?`}
          danger
          decision={decision}
          act={(reason) => operator.decideAppeal(id, { decision: "upheld", reason })}
          onDone={onDone}
        >
          The decision stays. The creator cannot appeal it again.
        </Decide>
      </div>
    </div>
  )
}
