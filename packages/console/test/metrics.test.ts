import { assert, describe, it } from "vitest"
import { measurementOf, quantileOf, rateOf } from "../web/app/metrics/measurement.ts"
import { samplesOf } from "../web/app/metrics/prometheus.ts"

const text = (ok: number, failed: number, fast: number, all: number) => `# HELP http_requests_total Responses sent.
# TYPE http_requests_total counter
http_requests_total{method="GET",route="/a",status="200"} ${ok}
http_requests_total{method="GET",route="/b",status="503"} ${failed}
http_request_duration_seconds_bucket{route="/a",le="0.1"} ${fast}
http_request_duration_seconds_bucket{route="/a",le="0.5"} ${all}
http_request_duration_seconds_bucket{route="/a",le="+Inf"} ${all}
nodejs_heap_used_bytes 1e6
`

const at = (seconds: number, ...counts: Parameters<typeof text>) =>
  measurementOf(seconds * 1000, samplesOf(text(...counts)))

describe("the metrics of the health page (CONSOLE-39)", () => {
  it("are read with escaped labels, infinite values and times", () => {
    assert.deepStrictEqual(
      samplesOf('a{b="x\\"y\\\\z\\n}",c="1, 2",} +Inf 1700000000\r\nd -1.5e-3').map(({ labels, name, value }) => [
        name,
        { ...labels },
        value
      ]),
      [
        ["a", { b: 'x"y\\z\n}', c: "1, 2" }, Infinity],
        ["d", {}, -0.0015]
      ]
    )
  })

  it("leave out lines that are not well-formed", () => {
    const garbage = [
      "",
      "#",
      "<html>",
      "a",
      "a b",
      "a{ 1",
      "a} 1",
      'a{b="c} 1',
      "a{b=c} 1",
      "a NaN",
      "1a 1",
      '{"a":1}',
      "\0"
    ]
    assert.deepStrictEqual(samplesOf(garbage.join("\n")), [])
    assert.deepStrictEqual(Object.keys(samplesOf('a{__proto__="b"} 1')[0]?.labels ?? {}), ["__proto__"])
    const odd = measurementOf(0, samplesOf('http_requests_total 1\nhttp_request_duration_seconds_bucket{le="x"} 1'))
    assert.deepStrictEqual([...(odd.processes.get("")?.latencies ?? [])], [])
  })

  it("give responses in each second, and null after a restart", () => {
    const [first, second] = [at(0, 10, 0, 10, 10), at(5, 20, 5, 20, 25)]
    assert.strictEqual(rateOf(first, second, "23"), 2)
    assert.strictEqual(rateOf(first, second, "5"), 1)
    assert.strictEqual(rateOf(first, second, "4"), 0)
    assert.isNull(rateOf(undefined, second, "2"))
    assert.isNull(rateOf(second, first, "2"))
    assert.isNull(rateOf(second, at(10, 1, 0, 1, 1), "2"))
    assert.isNull(quantileOf(second, at(10, 1, 0, 1, 1), 0.5))
  })

  it("give latencies of the responses between two measurements", () => {
    const [first, second] = [at(0, 0, 0, 0, 0), at(5, 10, 0, 5, 10)]
    assert.strictEqual(quantileOf(first, second, 0.5), 0.1)
    assert.closeTo(quantileOf(first, second, 0.75) ?? 0, 0.3, 1e-9)
    assert.isNull(quantileOf(second, second, 0.5))
    const slow = measurementOf(
      9000,
      samplesOf('http_request_duration_seconds_bucket{le="1"} 0\nhttp_request_duration_seconds_bucket{le="+Inf"} 4')
    )
    assert.strictEqual(quantileOf(measurementOf(0, []), slow, 0.99), 1)
  })

  it("of several processes are added up, unless all report the same value (SYSTEM-20)", () => {
    const one = (process: string, ok: number, fast: number, heap: number, oldest: number) => `
http_requests_total{process="${process}",method="GET",route="/a",status="200"} ${ok}
http_request_duration_seconds_bucket{process="${process}",route="/a",le="0.1"} ${fast}
http_request_duration_seconds_bucket{process="${process}",route="/a",le="+Inf"} ${ok}
nodejs_heap_used_bytes{process="${process}"} ${heap}
http_requests_in_flight{process="${process}"} 2
webhook_queue_oldest_seconds{process="${process}"} ${oldest}
deposit_scan_lag_blocks{process="${process}"} 0
money_warning{process="${process}",kind="debts_open"} 1`
    const read = (seconds: number, ...texts: ReadonlyArray<string>) =>
      measurementOf(seconds * 1000, samplesOf(texts.join("\n")))
    const first = read(0, one("0", 100, 100, 10, 5), one("1", 1000, 1000, 20, 7))
    const second = read(10, one("0", 120, 110, 30, 9), one("1", 1080, 1080, 40, 8))
    assert.deepStrictEqual(
      [...second.gauges],
      [
        ["nodejs_heap_used_bytes", 70],
        ["http_requests_in_flight", 4],
        ["webhook_queue_oldest_seconds", 9],
        ["deposit_scan_lag_blocks", 0]
      ]
    )
    assert.strictEqual(rateOf(first, second, "23"), 10)
    // 90 of 100 within 0.1 s.
    assert.closeTo(quantileOf(first, second, 0.45) ?? 0, 0.05, 1e-9)
    assert.strictEqual(quantileOf(first, second, 0.9), 0.1)
    const restarted = read(20, one("0", 130, 115, 30, 0), one("1", 4, 4, 1, 0))
    assert.strictEqual(rateOf(second, restarted, "23"), 1, "a process that restarted is left out")
    assert.strictEqual(quantileOf(second, restarted, 0.5), 0.1)
    const replaced = read(30, one("2", 4, 4, 1, 0))
    assert.isNull(rateOf(restarted, replaced, "23"))
    assert.isNull(quantileOf(restarted, replaced, 0.5))
  })
})
