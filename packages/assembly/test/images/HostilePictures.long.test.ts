/** Every kind of unusual or hostile picture, each in a process of its own. */
import { png, pngBomb } from "@agent-marketplace/fixtures/images/png"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import sharp from "sharp"
import { bytesOf, metadataOf, noise, refusalOf, render } from "../fixtures/pictures.ts"

describe("decoding of unusual and hostile pictures", () => {
  it.effect("unusual pictures are decoded: CMYK, 16 bits, transparency, still WebP", () =>
    Effect.gen(function* () {
      const cmyk = yield* bytesOf(noise(200, 100).toColourspace("cmyk").jpeg())
      assert.strictEqual((yield* metadataOf(cmyk)).space, "cmyk")
      const deep = yield* bytesOf(noise(200, 100).toColourspace("rgb16").png())
      assert.strictEqual((yield* metadataOf(deep)).depth, "ushort")
      const clear = yield* bytesOf(noise(200, 100).ensureAlpha(0.5).webp())
      for (const [bytes, type] of [
        [cmyk, "image/jpeg"],
        [deep, "image/png"],
        [clear, "image/webp"]
      ] as const) {
        const { full } = yield* render(bytes, type)
        assert.strictEqual((yield* metadataOf(full.bytes)).space, "srgb")
      }
    })
  )

  it.effect("animations are refused (IMAGE-2)", () =>
    Effect.gen(function* () {
      const frames = yield* Effect.forEach([80, 160], (size) =>
        bytesOf(
          noise(100, 100)
            .modulate({ brightness: size / 100 })
            .png()
        )
      )
      const webp = yield* Effect.promise(() =>
        sharp(frames, { join: { animated: true } })
          .webp()
          .toBuffer()
      )
      const gif = yield* Effect.promise(() =>
        sharp(frames, { join: { animated: true } })
          .gif()
          .toBuffer()
      )
      assert.include(yield* refusalOf(webp, "image/webp"), "is animated")
      assert.include(yield* refusalOf(png(100, 100, [9, 9, 9], [["acTL", "\0\0\0\u0002\0\0\0\0"]])), "is animated")
      assert.include(yield* refusalOf(gif), "must be a PNG, a JPEG or a WebP")
    })
  )

  it.effect("damaged and disguised files are refused with a reason (IMAGE-2)", () =>
    Effect.gen(function* () {
      const jpeg = yield* bytesOf(noise(300, 300).jpeg())
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>')
      for (const bytes of [svg, Buffer.from("%PDF"), Buffer.from([0x89])]) {
        assert.include(yield* refusalOf(bytes), "must be a PNG, a JPEG or a WebP")
      }
      assert.include(yield* refusalOf(jpeg, "image/png"), "is image/jpeg, but the content type says image/png")
      const whole = png(300, 300)
      assert.include(yield* refusalOf(jpeg.subarray(0, jpeg.length / 2), "image/jpeg"), "is damaged")
      assert.include(yield* refusalOf(whole.subarray(0, whole.length - 40)), "is damaged")
      assert.include(yield* refusalOf(Buffer.concat([whole.subarray(0, 8), svg])), "is damaged")
    })
  )

  it.effect("dimensions are checked before pixels are decoded (IMAGE-3)", () =>
    Effect.gen(function* () {
      assert.include(yield* refusalOf(png(1, 1)), "is 1 × 1 pixels: each side must have at least 64")
      assert.include(yield* refusalOf(png(30_000, 1)), "each side must have at least 64")
      assert.include(yield* refusalOf(pngBomb(30_000, 30_000)), "each side must have at most 10000")
      assert.include(yield* refusalOf(pngBomb(9000, 9000)), "it must have at most 24000000 in all")
    })
  )
})
