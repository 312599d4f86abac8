import { Confirm } from "../../../ui/Confirm.tsx"
import { More } from "../../../ui/More.tsx"
import { Time } from "../../../ui/Time.tsx"
import { market } from "../../market.ts"
import { useRenew } from "../../useAct.ts"
import { useMore } from "../../useMore.ts"

/** The machines on which a license is used. */
export const Activations = ({ id, licenseKey }: { readonly id: string; readonly licenseKey: string | null }) => {
  const renew = useRenew()
  const query = useMore(["activations", id], async ({ limit, page }) => {
    const machines = await market.licenses.activations(id, { limit, page })
    return machines.map((each) => ({ ...each, id: each.machine }))
  })
  return (
    <section aria-label="Machines">
      <h2 className="mb-3">Machines</h2>
      <More
        // A row shows whether the key is known.
        key={licenseKey}
        query={query}
        label="Machines"
        empty={<p className="text-muted">The license is active on no machine. Programs activate it themselves.</p>}
      >
        {({ activatedAt, label, machine }) => (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0 flex-1 basis-40">
              <p className="wrap-anywhere" dir="auto">
                {label ?? machine}
              </p>
              <p className="text-sm text-muted">
                Since <Time at={activatedAt} exact />
              </p>
            </div>
            {licenseKey === null ? null : (
              <Confirm
                button="Release"
                label={`Release ${label ?? machine}`}
                title={`Release ${label ?? machine}?`}
                danger
                act={() => market.licenses.deactivate({ licenseKey, machine })}
                onDone={() => void renew("activations")}
              >
                The license is not active there any more, and another machine may take its place.
              </Confirm>
            )}
          </div>
        )}
      </More>
    </section>
  )
}
