import type { ControlledItem } from "@agent-marketplace/client/wire/OperatorEndpoints"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { amountText } from "../../../ui/amountText.ts"
import { Field } from "../../../ui/Field.tsx"
import { Alert, Card } from "../../../ui/Page.tsx"
import { messageOf } from "../../market.ts"
import { Decide, DecisionFields, useDecision } from "./Decision.tsx"
import { operator, useRenew } from "./operations.ts"
import type { Refunds } from "./refunds.ts"
import { countRefunds } from "./refunds.ts"

const isDays = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 180

const several = (number: number, one: string): string =>
  `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`

const titleOf = (name: string, what: string, refunds: Refunds | undefined): string =>
  refunds === undefined
    ? `Revoke ${what} of ${name} for good?`
    : `Revoke ${name} and refund ${refunds.more ? "more than " : ""}${amountText(refunds.amount)} to ${several(refunds.people, "buyer")}?`

/** The decisions about an item, with one reason for all of them. */
export const ItemActs = ({
  id,
  name,
  onDecided
}: {
  readonly id: string
  readonly name: string
  readonly onDecided: (item: ControlledItem) => void
}) => {
  const decision = useDecision()
  const renew = useRenew()
  const [versionsText, setVersions] = useState("")
  const [days, setDays] = useState("")
  const versions = versionsText.split(/[\s,]+/).filter((version) => version !== "")
  const about = versions.length === 0 ? {} : { versions }
  const what =
    versions.length === 0 ? "everything" : `version${versions.length === 1 ? "" : "s"} ${versions.join(", ")}`
  const refundDays = days.trim() === "" ? null : days.trim()
  const wrongDays = refundDays !== null && !isDays(refundDays)
  const refunds = useQuery({
    queryKey: ["operator", "refunds", id, refundDays],
    queryFn: () => countRefunds(id, Number(refundDays)),
    enabled: refundDays !== null && !wrongDays
  })
  const decided = (deciding: Promise<ControlledItem>) => deciding.then(onDecided)
  const counted = refundDays === null || refunds.data !== undefined
  return (
    <>
      <Card title="Decide">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Field
            label="Versions"
            hint="Empty: the item as a whole, with all of its releases. Several versions with commas between them."
            autoComplete="off"
            value={versionsText}
            onChange={({ target }) => setVersions(target.value)}
          />
          <DecisionFields code decision={decision} hint="The creator and all license holders read it." />
          <div className="flex flex-wrap gap-3">
            <Decide
              button="Quarantine"
              title={`Quarantine ${what} of ${name}?`}
              danger
              decision={decision}
              act={(reason, code) => decided(operator.quarantine(id, { reason, code, ...about }))}
              onDone={renew}
            >
              Nobody can buy or install it until you release it. If it was sold, license holders get an advisory.
            </Decide>
            <Decide
              button="Release"
              title={`Release ${what} of ${name}?`}
              decision={decision}
              act={(reason, code) => decided(operator.release(id, { reason, code, ...about }))}
              onDone={renew}
            >
              The quarantine ends, and releases that wait because of their scan are approved. Everybody can buy and
              install it again.
            </Decide>
          </div>
        </div>
      </Card>
      <Card title="For good">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <p className="text-muted">With the versions and the reason above. Neither can be undone.</p>
          <Field
            label="Refund purchases of so many days"
            hint="1 to 180. Empty: nobody is refunded. Refunds are about the whole item."
            inputMode="numeric"
            autoComplete="off"
            value={days}
            issue={wrongDays ? "must be a whole number from 1 to 180" : undefined}
            onChange={({ target }) => setDays(target.value)}
          />
          {refundDays !== null && refunds.isError ? <Alert>{messageOf(refunds.error)}</Alert> : null}
          <div className="flex flex-wrap gap-3">
            {counted && !wrongDays ? (
              <Decide
                button="Revoke"
                title={titleOf(name, what, refundDays === null ? undefined : refunds.data)}
                danger
                decision={decision}
                act={(reason, code) =>
                  decided(
                    operator.revoke(id, {
                      reason,
                      code,
                      ...about,
                      ...(refundDays === null ? {} : { refundDays: Number(refundDays) })
                    })
                  )
                }
                onDone={renew}
              >
                Nobody can ever buy or install {versions.length === 0 ? "it" : `${what} of it`} again, and license
                holders get an advisory.{" "}
                {refundDays === null
                  ? "Nobody is refunded."
                  : `${several(refunds.data?.purchases ?? 0, "purchase")} of the last ${several(Number(refundDays), "day")} are refunded in full; renewals of subscriptions in that time come on top of the amount. The seller pays; what the seller lacks, the platform pays and the seller owes.`}
              </Decide>
            ) : (
              <button type="button" className="button" disabled>
                {wrongDays || refunds.isError ? "Revoke" : "Counting…"}
              </button>
            )}
            <Decide
              button="Purge"
              title={`Delete the bytes of ${what} of ${name}?`}
              danger
              decision={decision}
              act={(reason, code) => decided(operator.purge(id, { reason, code, ...about }))}
              onDone={renew}
            >
              The files are removed for everyone, also for the creator and for license holders, and the same files can
              never be uploaded again. Nobody is refunded.
            </Decide>
          </div>
        </div>
      </Card>
    </>
  )
}
