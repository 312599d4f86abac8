import { assert, describe, it } from "vitest"
import { mergeMetrics } from "../../src/processes/mergeMetrics.ts"

const textOf = (requests: number) =>
  `# HELP up Whether it runs.\n# TYPE up gauge\nup 1\n# HELP requests Requests.\n# TYPE requests counter\nrequests{route="/a",code="200"} ${requests}\nrequests{} 1\n`

describe("metrics of several processes", () => {
  it("are one text with the label process, and each metric is described once (SYSTEM-20)", () => {
    const merged = mergeMetrics([
      { process: 1, text: textOf(5) },
      { process: 2, text: textOf(7) }
    ])
    assert.deepStrictEqual(merged.split("\n"), [
      "# HELP up Whether it runs.",
      "# TYPE up gauge",
      'up{process="1"} 1',
      'up{process="2"} 1',
      "# HELP requests Requests.",
      "# TYPE requests counter",
      'requests{process="1",route="/a",code="200"} 5',
      'requests{process="1"} 1',
      'requests{process="2",route="/a",code="200"} 7',
      'requests{process="2"} 1',
      ""
    ])
  })

  it("of no process are empty", () => assert.strictEqual(mergeMetrics([]), "\n"))
})
