import { Confirm } from "../../../ui/Confirm.tsx"
import { ItemLink } from "./Facts.tsx"
import { Listed } from "./Listed.tsx"
import { operator, useRenew } from "./operations.ts"

interface Stopped {
  readonly id: string
  readonly name: string
  readonly reason: string | null
}

const Row = ({ item, restore }: { readonly item: Stopped; readonly restore: () => Promise<unknown> }) => {
  const renew = useRenew()
  const { id, name, reason } = item
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere" dir="auto">
          {name}
        </p>
        <ItemLink id={id} />
        <p className="text-sm text-muted wrap-anywhere" dir="auto">
          {reason}
        </p>
      </div>
      <Confirm
        button="Restore"
        label={`Restore ${name}`}
        title={`Put ${name} on sale again?`}
        quiet
        act={restore}
        onDone={renew}
      >
        Everybody can find and buy it again.
      </Confirm>
    </li>
  )
}

/** Suspended listings and SOULs, which an operator restores (CONSOLE-73). */
export const Suspended = () => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
    <Listed
      queryKey={["operator", "suspended", "listings"]}
      read={(page) => operator.listings({ ...page, status: "suspended" })}
      empty={<p className="text-muted">No listing is suspended.</p>}
    >
      {({ id, name, rejectionReason, updatedAt }) => (
        <Row
          key={id}
          item={{ id, name, reason: rejectionReason }}
          restore={() => operator.approveListing(id, { updatedAt })}
        />
      )}
    </Listed>
    <Listed
      queryKey={["operator", "suspended", "souls"]}
      read={(page) => operator.souls({ ...page, status: "suspended" })}
      empty={<p className="text-muted">No SOUL is suspended.</p>}
    >
      {({ id, name, slug, suspensionReason }) => (
        <Row key={id} item={{ id, name, reason: suspensionReason }} restore={() => operator.restoreSoul(slug, {})} />
      )}
    </Listed>
  </div>
)
