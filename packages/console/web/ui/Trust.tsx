const levels = {
  clean: ["Scanned: clean", "text-good"],
  notice: ["Scanned: notices", "text-muted"],
  warn: ["Scanned: warnings", "text-warn"],
  block: ["Blocked", "text-bad"]
} as const

/** The level of the verdict on what is sold. */
export const TrustBadge = ({ level }: { readonly level: keyof typeof levels | null }) => {
  if (level === null) return <span className="badge">Not scanned</span>
  const [text, color] = levels[level]
  return <span className={`badge ${color}`}>{text}</span>
}

/** Stands beside the name of a creator who has proven to own a domain. */
export const Verified = () => (
  <span className="badge text-good" title="This creator has proven to own a domain.">
    Verified
  </span>
)
