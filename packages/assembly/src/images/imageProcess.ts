/** The program of a process that decodes one picture and encodes its variants. The process ends with it. */
import type sharpModule from "sharp"
import type { ImageReply, ImageTask, RenderedVariant, VariantSize } from "./ImageTask.ts"
import { imageLimits, imagePatience } from "./imageLimits.ts"
import { isAnimatedPng } from "./imageSignature.ts"

type Sharp = typeof sharpModule

/** Not a literal, so that bundles do not contain the decoder: it is installed where pictures are uploaded. */
const decoder: string = "sharp"

const load = async (): Promise<Sharp | undefined> => {
  try {
    return ((await import(decoder)) as { readonly default: Sharp }).default
  } catch {
    return undefined
  }
}

const refused = (message: string): ImageReply => ({ _tag: "Refused", message })

/** Why a picture with these dimensions is refused (IMAGE-3). */
const sizeRefusal = (width: number, height: number): string | undefined => {
  const { maxPixels, maxSide, minSide } = imageLimits
  const shown = `${width} × ${height} pixels`
  if (Math.min(width, height) < minSide) return `is ${shown}: each side must have at least ${minSide}`
  if (Math.max(width, height) > maxSide) return `is ${shown}: each side must have at most ${maxSide}`
  return width * height > maxPixels ? `is ${shown}: it must have at most ${maxPixels} in all` : undefined
}

const render = async (task: ImageTask): Promise<ImageReply> => {
  const sharp = await load()
  if (sharp === undefined) return { _tag: "Unsupported" }
  sharp.cache(false)
  sharp.concurrency(1)
  const { bytes, format } = task
  const input = { limitInputPixels: imageLimits.maxPixels, failOn: "error", pages: -1 } as const
  const metadata = await sharp(bytes, { ...input, limitInputPixels: false }).metadata()
  if (metadata.format !== format) return refused("is damaged or not of the format that its first bytes state")
  if ((metadata.pages ?? 1) > 1 || (format === "png" && isAnimatedPng(bytes)))
    return refused("is animated: only still pictures are accepted")
  const refusal = sizeRefusal(metadata.width, metadata.height)
  if (refusal !== undefined) return refused(refusal)
  // By default the encoder leaves metadata out and converts colors to sRGB.
  const variant = async ({ fit, height, width }: VariantSize): Promise<RenderedVariant> => {
    const { data, info } = await sharp(bytes, { ...input, pages: 1 })
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: fit === "inside" })
      .toColourspace("srgb")
      .webp({ quality: 82, effort: 4 })
      .timeout({ seconds: imagePatience / 1000 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  }
  return { _tag: "Rendered", full: await variant(task.full), small: await variant(task.small) }
}

const handle = async (task: ImageTask): Promise<void> => {
  const reply = await render(task).catch((): ImageReply => refused("is damaged: it cannot be decoded"))
  process.send?.(reply, () => process.disconnect())
}

process.once("message", (task: ImageTask) => void handle(task))

// The server has ended: nothing reads the reply.
process.once("disconnect", () => process.exit())
