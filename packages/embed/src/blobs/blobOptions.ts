import { configuredBlobs } from "@agent-marketplace/assembly/configuredBlobs"
import type { Issue } from "@agent-marketplace/core/errors/MarketError"
import { readBlobs } from "@agent-marketplace/settings/BlobsConfiguration"
import { Result } from "effect"
import { invalidOptions } from "../options/optionChecks.ts"
import type { MarketBlobs } from "./MarketBlobs.ts"

/**
 * The blobs of the server's configuration `BLOBS=where` (CONFIG-26), with the variables under the names of the options. Throws a
 * `MarketplaceError` that names every invalid option without its value.
 */
export const blobsOf = (
  where: "folder" | "s3",
  options: object,
  variables: Readonly<Record<string, string>>
): MarketBlobs => {
  // A program in plain JavaScript may pass no options.
  const given: Readonly<Record<string, unknown>> = { ...options }
  const optionOf = Object.fromEntries(Object.entries(variables).map(([option, variable]) => [variable, option]))
  const issues: Array<Issue> = Object.keys(given).flatMap((path) =>
    Object.hasOwn(variables, path) ? [] : [{ path, message: "is not an option" }]
  )
  const blobs = readBlobs(
    (name, read) => {
      const value = name === "BLOBS" ? where : given[optionOf[name] ?? ""]
      if (value === undefined || value === "") return undefined
      const result = typeof value === "string" ? read(value) : Result.fail("must be a text")
      if (Result.isSuccess(result)) return result.success
      issues.push({ path: optionOf[name] ?? name, message: result.failure })
      return undefined
    },
    (sentence) => {
      const path = optionOf[sentence.split(" ")[0] ?? ""] ?? ""
      if (!issues.some((issue) => issue.path === path)) issues.push({ path, message: "is required" })
    }
  )
  const layer = configuredBlobs(blobs)
  if (issues.length > 0 || layer === undefined) throw invalidOptions(`${where}Blobs`, issues)
  return { layer }
}
