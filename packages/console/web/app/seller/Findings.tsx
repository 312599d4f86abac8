import type { Verdict } from "@agent-marketplace/client/wire/Endpoints"
import { TrustBadge } from "../../ui/Trust.tsx"

const colors = { clean: "text-good", notice: "text-muted", warn: "text-warn", block: "text-bad" } as const
const words = { clean: "Clean", notice: "Notice", warn: "Warning", block: "Block" } as const

/** The result of a scan, with the place of each finding and what to change. */
export const Findings = ({ verdict: { findings, level, ruleset } }: { readonly verdict: Verdict }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <TrustBadge level={level} />
      <span>
        {findings.length === 0 ? "Nothing was found" : `${findings.length} found`} with rules {ruleset}
      </span>
    </p>
    {findings.length === 0 ? null : (
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-label="Findings">
        {findings.map(({ evidence, file, level: of, line, message, owasp, rule }) => (
          <li
            key={`${rule} ${file} ${line} ${evidence}`}
            className="grid gap-1 rounded-lg border border-line p-3 text-sm"
          >
            <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
              <span className={`font-semibold ${colors[of]}`}>{words[of]}</span>
              <code className="min-w-0 font-mono text-[13px]">
                {file}
                {line === 0 ? "" : `:${line}`}
              </code>
              <span className="text-muted">
                {rule}
                {owasp === null ? "" : ` · ${owasp}`}
              </span>
            </p>
            <p className="wrap-anywhere" dir="auto">
              {message}
            </p>
            {evidence === "" ? null : (
              <pre className="rounded border border-line bg-page p-2 font-mono text-[13px] whitespace-pre-wrap wrap-anywhere">
                {evidence}
              </pre>
            )}
          </li>
        ))}
      </ol>
    )}
  </div>
)
