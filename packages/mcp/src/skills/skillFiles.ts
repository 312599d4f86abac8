import type { Marketplace } from "@agent-marketplace/client"
import { Effect } from "effect"
import { McpSchema } from "effect/ai"
import type { MarketResource } from "../resources/marketResources.ts"
import { notice } from "../tools/MarketTool.ts"
import { installableSkill, NotServed } from "./InstallableSkill.ts"
import { skillFault } from "./skillMethods.ts"
import { SkillUri } from "./SkillUri.ts"

/** The text of bytes that are UTF-8, from which the same bytes follow; undefined for others. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const mimeTypeOf = (path: string, isText: boolean): string => {
  if (!isText) return "application/octet-stream"
  return path.endsWith(".md") ? "text/markdown" : "text/plain"
}

/** Exactly the bytes that the digest is about, so the notice is beside them (MCP-16, MCP-19). */
const contentsOf = (uri: string, path: string, bytes: Uint8Array): McpSchema.ReadResourceResult => {
  const text = textOf(bytes)
  const facts = { uri, mimeType: mimeTypeOf(path, text !== undefined), _meta: { "agent-marketplace/notice": notice } }
  return { contents: [text === undefined ? { ...facts, blob: bytes } : { ...facts, text }] }
}

const read = async (market: Marketplace, uri: string, signal: AbortSignal): Promise<McpSchema.ReadResourceResult> => {
  const address = SkillUri.read(uri)
  const skill = address === undefined ? undefined : await installableSkill(market, address.itemId, signal)
  const file = skill?.release.files.find(({ path }) => path === address?.path)
  if (address === undefined || skill === undefined || file === undefined || skill.name !== address.name)
    throw new NotServed(`No file of a skill is served at ${uri}`)
  const { itemId, path } = address
  return contentsOf(uri, path, await market.releases.download(itemId, skill.release.version, { path, signal }))
}

/** The files of skills (MCP-16). */
export const skillFiles: MarketResource = {
  template: McpSchema.ResourceTemplate.make({
    uriTemplate: "skill://{itemId}/{name}/{+path}",
    name: "skill",
    title: "File of a skill",
    description: "A file of a skill that the account may install, by the addresses of skills/list and skills/get."
  }),
  routerPath: "skill:://*",
  read: (market, uri) =>
    Effect.tryPromise({
      try: (signal) => read(market, uri, signal),
      catch: (error) => {
        const { code, message } = skillFault(error)
        return code === -32602 ? new McpSchema.InvalidParams({ message }) : new McpSchema.InternalError({ message })
      }
    })
}
