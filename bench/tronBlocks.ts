/** Simulated TRON nodes for a scanner that catches up. They run in a separate process, which sends their addresses to the parent. */
import { usdtContract } from "@agent-marketplace/core/chain/usdtContract"
import { hexOf } from "@agent-marketplace/tron/nodes/Base58Check"
import { hash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const [blocks, transfers, addresses, nodes, every] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
  number
]

/** One transfer out of this number goes to a deposit address of the market, in one block out of `every`. */
const ours = 100

const contract = hexOf(usdtContract).slice(2)
const topic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const sha256 = (text: string): string => hash("sha256", text)
const word = (hex: string): string => hex.padStart(64, "0")
const stranger = () => randomBytes(20).toString("hex")

/** The 20 bytes of the deposit address at an index. The database contains the same addresses. */
const owned = (index: number): string => sha256(`deposit address ${index}`).slice(0, 40)

/** The placeholder for a height in a template, with the same number of digits. */
const place = "987654321"

const infoOf = (template: number, i: number, isOurs: boolean) => ({
  id: "@",
  fee: 6_773_500,
  blockNumber: Number(place),
  blockTimeStamp: 1_720_000_000_000,
  contractResult: [word("0")],
  contract_address: `41${contract}`,
  receipt: { energy_fee: 6_428_500, energy_usage_total: 64_285, net_fee: 345_000, result: "SUCCESS" },
  log: [
    {
      address: contract,
      topics: [topic, word(stranger()), word(isOurs ? owned((template * 7919 + i * 104_729) % addresses) : stranger())],
      data: word("f4240")
    }
  ]
})

/** Response templates as long as those of TRON. They are built once; the height and ids are inserted for each response. */
const templatesOf = (hasDeposits: boolean) =>
  Array.from({ length: 20 }, (_, template) =>
    JSON.stringify(Array.from({ length: transfers }, (_, i) => infoOf(template, i, hasDeposits && i % ours === 0)))
  )

const [withDeposits, withoutDeposits] = [templatesOf(true), templatesOf(false)]

const render = (number: number): Buffer => {
  let i = 0
  const prefix = sha256(`block ${number}`).slice(0, 56)
  const templates = number % every === 0 ? withDeposits : withoutDeposits
  return Buffer.from(
    (templates[number % templates.length] ?? "[]")
      .replaceAll(place, String(number))
      .replaceAll(`"@"`, () => `"${prefix}${(i++).toString(16).padStart(8, "0")}"`)
  )
}

/** The newest responses. The other nodes send the same ones, so that this process leaves more of the machine to the scanner. */
const rendered = new Map<number, Buffer>()

const infosAt = (number: number): Buffer => {
  const known = rendered.get(number)
  if (known !== undefined) return known
  const made = render(number)
  if (nodes > 1) rendered.set(number, made)
  for (const oldest of rendered.keys()) {
    if (rendered.size <= 200) break
    rendered.delete(oldest)
  }
  return made
}

const header = (number: number) => ({
  blockID: number.toString(16).padStart(16, "0") + sha256(String(number)).slice(16),
  block_header: { raw_data: { number, timestamp: 1_720_000_000_000 + 3000 * number, txTrieRoot: sha256("root") } }
})

const listen = async (): Promise<string> => {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    let text = ""
    request.on("data", (chunk: Buffer) => (text += chunk.toString()))
    request.on("end", () => {
      const body = JSON.parse(text) as { readonly num?: number; readonly id_or_num?: string }
      response.setHeader("content-type", "application/json")
      if (body.num !== undefined) response.end(body.num > blocks ? "[]" : infosAt(body.num))
      else response.end(JSON.stringify(header(Number(body.id_or_num ?? blocks))))
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

process.send?.(await Promise.all(Array.from({ length: nodes }, listen)))
process.on("disconnect", () => process.exit())
