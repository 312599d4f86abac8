/** A line that is neither an address nor a comment. */
export interface WrongLine {
  readonly line: number
  readonly message: string
}

/** The content of a deny list. */
export interface DenyList {
  /** The first line of each address. */
  readonly addresses: ReadonlyMap<string, number>
  readonly wrong: ReadonlyArray<WrongLine>
}

/**
 * Reads a deny list: one address a line, `#` starts a comment, empty lines are ignored (SCREENING-2). The message of a wrong line does not
 * repeat the line, which may contain anything.
 */
export const parseDenyList = (text: string, isAddress: (text: string) => boolean): DenyList => {
  const addresses = new Map<string, number>()
  const wrong: Array<WrongLine> = []
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .entries()) {
    const entry = raw.replace(/#.*$/s, "").trim()
    if (entry === "") continue
    if (!isAddress(entry)) wrong.push({ line: index + 1, message: "must be a TRON address" })
    else if (!addresses.has(entry)) addresses.set(entry, index + 1)
  }
  return { addresses, wrong }
}

/** The maximum number of wrong lines that a message names. */
const mostNamed = 10

/** `line 3 must be a TRON address; line 9 must be a TRON address`. */
export const wrongLines = (wrong: ReadonlyArray<WrongLine>): string => {
  const named = wrong.slice(0, mostNamed).map(({ line, message }) => `line ${line} ${message}`)
  return [...named, ...(wrong.length > mostNamed ? [`and ${wrong.length - mostNamed} more`] : [])].join("; ")
}
