import { useEffect, useState } from "react"

/** A line to copy. Without a script it can still be selected. */
export const Copy = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-page p-1 ps-3">
      <code
        className="min-w-0 flex-1 overflow-x-auto py-1 font-mono text-[13px] whitespace-nowrap"
        tabIndex={0}
        aria-label={label}
      >
        {text}
      </code>
      <button
        type="button"
        className="button min-h-9 px-3 text-sm"
        aria-label={`Copy: ${label}`}
        onClick={() => void navigator.clipboard?.writeText(text).then(() => setCopied(true))}
      >
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  )
}
