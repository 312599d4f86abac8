import type { ProcessSample } from "./Messages.ts"

interface Family {
  readonly comments: ReadonlyArray<string>
  readonly samples: Array<string>
}

const labelled = (line: string, process: number): string => {
  const [, name = "", labels, rest = ""] = /^([^\s{]+)(?:\{(.*)\})?(\s.*)$/.exec(line) ?? []
  return `${name}{process="${process}"${labels === undefined || labels === "" ? "" : `,${labels}`}}${rest}`
}

/**
 * The metrics of several processes as one text in Prometheus format: each sample has the label `process`, and the samples of one metric stand
 * together (SYSTEM-20).
 */
export const mergeMetrics = (samples: ReadonlyArray<ProcessSample>): string => {
  const families = new Map<string, Family>()
  for (const { process, text } of samples) {
    let current: Family = { comments: [], samples: [] }
    let comments: Array<string> = []
    for (const line of text.split("\n")) {
      if (line.startsWith("# ")) {
        const name = line.split(" ")[2] ?? ""
        comments = line.startsWith("# TYPE") ? [...comments, line] : [line]
        current = families.get(name) ?? { comments, samples: [] }
        families.set(name, { comments, samples: current.samples })
      } else if (line !== "") current.samples.push(labelled(line, process))
    }
  }
  const lines = [...families.values()].flatMap(({ comments, samples: own }) => [...comments, ...own])
  return `${lines.join("\n")}\n`
}
