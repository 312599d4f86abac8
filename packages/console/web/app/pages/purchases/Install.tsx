import { Copy } from "../../../ui/Copy.tsx"

/** The line that installs an item. */
export const Install = ({ slug }: { readonly slug: string }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
    <p className="text-sm text-muted">Install it from the command line:</p>
    <Copy label="install line" text={`npx @agent-marketplace/cli install ${slug}`} />
  </div>
)
