import { Cache, Effect } from "effect"
import { toBuffer } from "qrcode"

/** Draws texts as QR codes (PNG, DEPOSIT-3). The 500 images used last are cached: the image of an address never changes. */
export const makeQrImages = Effect.map(
  Cache.make({
    capacity: 500,
    lookup: (text: string) =>
      Effect.promise(() => toBuffer(text, { type: "png", width: 320, errorCorrectionLevel: "M" }))
  }),
  (images) => (text: string) => Cache.get(images, text)
)
