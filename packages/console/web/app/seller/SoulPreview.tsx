import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { Markdown } from "../../ui/Markdown.tsx"
import { Alert, Card } from "../../ui/Page.tsx"
import { market, messageOf } from "../market.ts"
import { partsOf } from "./soulTemplate.ts"

/** How long nothing is typed before the text is checked, in milliseconds. */
const pause = 600

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const Lint = ({ content }: { readonly content: string }) => {
  const text = useSettled(content)
  const { data, error } = useQuery({
    queryKey: ["lint", text],
    queryFn: ({ signal }) => market.souls.lint({ content: text }, { signal }),
    enabled: text.trim() !== "",
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000
  })
  if (error !== null) return <Alert>{messageOf(error)}</Alert>
  if (data === undefined) return <p className="text-muted">The check of your text appears here.</p>
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-live="polite">
      <p className={data.valid ? "text-good" : "text-bad"}>
        {data.valid ? "It can be published." : "It cannot be published yet."}{" "}
        <span className="number text-muted">{data.words} words.</span>
      </p>
      {data.findings.length === 0 ? null : (
        <ul className="grid gap-2 text-sm">
          {data.findings.map(({ level, line, message, rule }) => (
            <li key={`${rule} ${line} ${message}`} className="wrap-anywhere">
              <span className={`font-semibold ${level === "error" ? "text-bad" : "text-warn"}`}>
                {level === "error" ? "Error" : "Advice"}
              </span>{" "}
              <span className="number text-muted">line {line}</span> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A SOUL.md as it is read, and what the linter says about it. */
export const SoulPreview = ({ content }: { readonly content: string }) => {
  const { body, matter } = partsOf(content)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
      <Card title="Check">
        <Lint content={content} />
      </Card>
      <Card title="Preview">
        {matter === null ? null : (
          <pre
            className="mb-3 overflow-x-auto rounded border border-line bg-page p-3 font-mono text-[13px]"
            tabIndex={0}
          >
            {matter}
          </pre>
        )}
        <Markdown text={body} />
      </Card>
    </div>
  )
}
