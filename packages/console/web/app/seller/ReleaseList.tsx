import type { Release } from "@agent-marketplace/client/wire/Endpoints"
import type { ReactNode } from "react"
import { Time } from "../../ui/Time.tsx"
import { Findings } from "./Findings.tsx"
import { RescanButton } from "./RescanButton.tsx"
import { Reason, State } from "./State.tsx"
import { YankButton } from "./YankButton.tsx"

/** How often a release that is being scanned is read, in milliseconds. */
const interval = 1500

/** Reads a list again while one of its releases is being scanned. */
export const whileScanning = (releases: ReadonlyArray<Pick<Release, "status"> | null> = []): number | false =>
  releases.some((release) => release?.status === "scanning") ? interval : false

const sizeOf = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} kB`

/** One version with its verdict, and what its seller can do with it (CONSOLE-25). */
export const ReleaseEntry = ({
  children,
  onDone,
  release,
  rescan,
  title,
  yank
}: {
  readonly release: Release
  readonly title: string
  readonly yank: (reason: string) => Promise<unknown>
  readonly rescan: () => Promise<unknown>
  readonly onDone: () => void
  readonly children?: ReactNode
}) => {
  const { createdAt, files, reason, size, status, verdict } = release
  return (
    <li className="grid gap-3 py-4" aria-label={title}>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold wrap-anywhere">{title}</h3>
        <State of={status} />
        {children}
        <span className="text-sm text-muted">
          {sizeOf(size)}, {files.length} {files.length === 1 ? "file" : "files"}, <Time at={createdAt} exact />
        </span>
      </div>
      <Reason text={reason?.text} code={reason?.code} />
      {verdict === null ? (
        <p role="status" className="text-sm text-muted">
          {status === "scanning" ? "The scan is under way. The verdict appears here by itself." : "No verdict yet."}
        </p>
      ) : (
        <Findings verdict={verdict} />
      )}
      <div className="flex flex-wrap gap-3">
        {status === "scanning" || status === "yanked" ? null : (
          <RescanButton version={title} rescan={rescan} onDone={onDone} />
        )}
        {status === "published" || status === "in_review" ? (
          <YankButton version={title} yank={yank} onDone={onDone} />
        ) : null}
      </div>
    </li>
  )
}
