import { Effect } from "effect"
import { toBuffer } from "qrcode"

/** The most pictures that are kept; an address' picture never changes. */
const capacity = 500

/** Draws texts as QR codes (PNG) and remembers the ones drawn last (DEPOSIT-3). */
export const makeQrImages = (): ((text: string) => Effect.Effect<Uint8Array>) => {
  const drawn = new Map<string, Uint8Array>()
  const draw = (text: string) =>
    Effect.map(
      Effect.promise(() => toBuffer(text, { type: "png", width: 320, errorCorrectionLevel: "M" })),
      (png) => {
        const [oldest] = drawn.keys()
        if (drawn.size >= capacity && oldest !== undefined) drawn.delete(oldest)
        drawn.set(text, png)
        return png
      }
    )
  return (text) =>
    Effect.suspend(() => {
      const known = drawn.get(text)
      return known === undefined ? draw(text) : Effect.succeed(known)
    })
}
