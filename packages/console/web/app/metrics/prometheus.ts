/** One value of a metric. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  /** May be infinite, but is never NaN. */
  readonly value: number
}

/** Name, labels, value, and perhaps a time, which is ignored. */
const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?[ \t]+([^ \t]+)(?:[ \t]+-?\d+)?[ \t]*$/

/** A label; within quotation marks, backslashes escape quotation marks, backslashes and line breaks. */
const label = /\s*([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"\s*(?:,|$)/y

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one))

const infinite: Readonly<Record<string, number>> = { "+Inf": Infinity, Inf: Infinity, "-Inf": -Infinity }

/** The labels between the braces; undefined if they are not well-formed. */
const labelsOf = (text: string): Sample["labels"] | undefined => {
  const labels: Record<string, string> = Object.create(null) as Record<string, string>
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const found = label.exec(text)
    if (found === null) return undefined
    labels[found[1] ?? ""] = unescaped(found[2] ?? "")
  }
  return labels
}

/** The samples of a text in the exposition format of Prometheus (SYSTEM-4). Lines that are not well-formed are left out. */
export const samplesOf = (text: string): ReadonlyArray<Sample> =>
  text.split(/\r?\n/).flatMap((each): ReadonlyArray<Sample> => {
    const [, name, inner = "", number = ""] = line.exec(each) ?? []
    const labels = labelsOf(inner)
    const value = infinite[number] ?? Number(number)
    return name === undefined || labels === undefined || Number.isNaN(value) ? [] : [{ name, labels, value }]
  })
