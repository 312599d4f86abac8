type Kind = "file" | "folder"

/** One spelling for all that a file system without upper case, or with another Unicode form, takes for the same name. */
const folded = (path: string): string => path.normalize("NFKD").toUpperCase().toLowerCase().normalize("NFKD")

/**
 * Keeps apart what some file system would lay on top of each other. `claim` gives why a path cannot be had besides those before it,
 * or undefined; a folder may be claimed again, a file never.
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
    /** How many files and folders there are, those included that were named only on the way to others. */
    count: () => claimed.size
  }
}
