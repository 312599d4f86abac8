import { Copy } from "../../../ui/Copy.tsx"
import { Notice } from "../../../ui/Page.tsx"

/** The secret of an endpoint in the only moment in which it is shown. */
export const Secret = ({ secret }: { readonly secret: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <Notice>
      Copy the secret now: it is shown only this once. With it your server checks that a request comes from this market.
    </Notice>
    <Copy label="secret" text={secret} />
  </div>
)
