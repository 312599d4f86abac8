import { MarketplaceError } from "@agent-marketplace/client/MarketplaceError"
import type { ItemImage } from "@agent-marketplace/client/wire/Endpoints"
import { queryOptions } from "@tanstack/react-query"
import { market, messageOf } from "../market.ts"

const largest = 5 * 1_048_576
const kinds = ["image/png", "image/jpeg", "image/webp"]

/** An upload takes longer than other calls; in milliseconds. */
export const timeout = 120_000

/** The most screenshots of an item (IMAGE-5). */
export const maxScreenshots = 8

/** Why a file cannot be a picture, before it is sent. */
export const refusalOf = ({ name, size, type }: File): string | undefined => {
  if (!kinds.includes(type)) return `${name} is not a PNG, a JPEG or a WebP, which are the kinds that are accepted.`
  return size > largest ? `${name} is larger than 5 MiB, which is the most that a picture may have.` : undefined
}

const states: Readonly<Record<string, string>> = {
  image_limit: `This item has ${maxScreenshots} screenshots already. Remove one first.`,
  images_unsupported: "This market cannot receive pictures: its operator must install the npm package sharp."
}

/** What a person reads about a refused picture. */
export const pictureMessage = (error: unknown): string => {
  if (!(error instanceof MarketplaceError)) return messageOf(error)
  const issues = (error.details["issues"] ?? []) as ReadonlyArray<{ readonly path: string; readonly message: string }>
  const body = issues.find(({ path }) => path === "body")
  if (body !== undefined) return `The picture ${body.message}.`
  if (error.statusCode === 413) return "The picture is larger than 5 MiB, which is the most that a picture may have."
  return states[String(error.details["state"])] ?? messageOf(error)
}

/** Pages may show bytes only from the market or from a data URL (CONSOLE-3). */
export const dataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(String(reader.result)))
    reader.addEventListener("error", () => reject(new Error("the file cannot be read")))
    reader.readAsDataURL(blob)
  })

/** A listing by its id, or a SOUL by its slug. */
export interface IllustratedItem {
  readonly kind: "listing" | "soul"
  readonly key: string
}

export const operationsOf = ({ kind }: IllustratedItem) => (kind === "soul" ? market.soulImages : market.images)

export const picturesQuery = ({ key, kind }: IllustratedItem) =>
  queryOptions({
    queryKey: ["pictures", kind, key],
    queryFn: async () => (kind === "soul" ? market.soulImages.list(key) : (await market.images.list(key)).images)
  })

/** The small variant, also of an item that is not public, whose pictures need the session. */
export const pictureQuery = (item: IllustratedItem, { id }: ItemImage) =>
  queryOptions({
    queryKey: ["picture", id],
    staleTime: Infinity,
    queryFn: async () => {
      const bytes = await operationsOf(item).download(item.key, id, { size: "small" })
      return dataUrl(new Blob([new Uint8Array(bytes)], { type: "image/webp" }))
    }
  })
