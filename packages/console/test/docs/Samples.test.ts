import { Marketplace } from "@agent-marketplace/client"
import { docsFolder } from "@agent-marketplace/http/system/docsFolder"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { operationsOf, slugOf } from "../../web/docs/OpenApi.ts"
import type { OpenApiDocument } from "../../web/docs/OpenApi.ts"

const document = JSON.parse(
  readFileSync(new URL("../../../api/openapi.json", import.meta.url), "utf8")
) as OpenApiDocument

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&amp;": "&"
}

const textOf = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, "").replaceAll(/&(?:lt|gt|quot|#x27|amp);/g, (entity) => entities[entity] ?? "")

/** The client's sample in the section of an operation. */
const sampleIn = (page: string, id: string): string | undefined => {
  const [section = ""] = (page.split(`<section class="op" id="${id}"`)[1] ?? "").split('<section class="op"')
  const [, code] = /<figcaption>Client library:[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(section) ?? []
  return code === undefined ? undefined : textOf(code)
}

/** Runs a sample, and returns the request that it sends. */
const requestOf = async (sample: string): Promise<string> => {
  const sent: Array<string> = []
  const market = new Marketplace({
    apiKey: "amk_test",
    baseUrl: "http://market.test",
    maxRetries: 0,
    fetch: (input, init) => {
      sent.push(`${init?.method ?? "GET"} ${new URL(String(input)).pathname}`)
      return Promise.reject(new Error("nothing is sent"))
    }
  })
  const readFile = () => new Uint8Array(4)
  const run = new Function("market", "readFile", `return (async () => { ${sample} })()`) as (
    ...given: ReadonlyArray<unknown>
  ) => Promise<unknown>
  await run(market, readFile).catch(() => undefined)
  return sent[0] ?? ""
}

describe("the samples of the client library", () => {
  it("send the requests beside which they stand (DOCS-10)", async () => {
    let count = 0
    for (const tag of document.tags) {
      const page = await docsFolder.page(`/reference/${slugOf(tag.name)}`)
      for (const { method, operationId, path, tags } of operationsOf(document)) {
        const sample = tags.includes(tag.name) ? sampleIn(page, operationId) : undefined
        if (sample === undefined) continue
        count += 1
        const shape = new RegExp(`^${method} ${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`)
        assert.match(await requestOf(sample), shape, `${operationId}: ${sample}`)
      }
    }
    assert.isAbove(count, 90)
  })
})
