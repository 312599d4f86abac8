type Kind = "file" | "folder"

/** One spelling for all names that a case-insensitive or Unicode-normalizing file system treats as equal. */
const folded = (path: string): string => path.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD")

/**
 * Refuses names that some file system would treat as the same. `claim` returns why a path conflicts with earlier ones,
 * or undefined; a folder may be claimed again, a file may not.
 */
export const claimedNames = () => {
  const claimed = new Map<string, { readonly path: string; readonly kind: Kind }>()

  const claimOne = (path: string, kind: Kind): string | undefined => {
    const earlier = claimed.get(folded(path))
    if (earlier === undefined) claimed.set(folded(path), { path, kind })
    else if (earlier.path !== path) return `differs from ${earlier.path} only in case or accents`
    else if (earlier.kind !== kind) return "is a file and a folder"
    else if (kind === "file") return "is there twice"
    return undefined
  }

  return {
    claim: (path: string, kind: Kind): string | undefined => {
      const names = path.split("/")
      for (let depth = 1; depth < names.length; depth += 1) {
        const fault = claimOne(names.slice(0, depth).join("/"), "folder")
        if (fault !== undefined) return fault
      }
      return claimOne(path, kind)
    },
    /** How many files and folders there are, including the parents of named paths. */
    count: () => claimed.size
  }
}
