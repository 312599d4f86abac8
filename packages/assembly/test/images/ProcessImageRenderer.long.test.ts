import { png } from "@agent-marketplace/fixtures/images/png"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bytesOf, metadataOf, noise, refusalOf, render } from "../fixtures/pictures.ts"

const position = { IFD3: { GPSLatitude: "52/1 31/1 0/1", GPSLatitudeRef: "N" } }

describe("decoding of uploaded pictures", () => {
  it.effect("a screenshot fits 1600 pixels, is never enlarged, and a thumbnail has one size (IMAGE-4)", () =>
    Effect.gen(function* () {
      const wide = yield* render(png(3200, 1000))
      assert.deepInclude(wide.full, { width: 1600, height: 500 })
      assert.deepInclude(wide.small, { width: 480, height: 150 })
      const little = yield* render(png(100, 80))
      assert.deepInclude(little.full, { width: 100, height: 80 })
      const thumbnail = yield* render(png(300, 900), "image/png", "thumbnail")
      assert.deepInclude(thumbnail.full, { width: 640, height: 360 })
      assert.deepInclude(thumbnail.small, { width: 320, height: 180 })
      for (const { bytes } of [wide.full, wide.small, thumbnail.full]) {
        assert.strictEqual((yield* metadataOf(bytes)).format, "webp")
      }
    })
  )

  it.effect("position, comments and profiles are gone, and the picture is upright (IMAGE-4)", () =>
    Effect.gen(function* () {
      const photo = yield* bytesOf(
        noise(400, 200).withExif(position).withMetadata({ orientation: 6 }).withIccProfile("p3").jpeg()
      )
      const before = yield* metadataOf(photo)
      assert.isTrue(before.orientation === 6 && before.icc !== undefined)
      const { full } = yield* render(photo, "image/jpeg")
      const { exif, height, icc, orientation, width, xmp } = yield* metadataOf(full.bytes)
      assert.deepStrictEqual(
        { exif, icc, orientation, xmp },
        { exif: undefined, icc: undefined, orientation: undefined, xmp: undefined }
      )
      assert.deepStrictEqual({ width, height }, { width: 200, height: 400 })
      const polyglot = Buffer.concat([
        png(100, 100, [1, 2, 3], [["tEXt", "Comment\0<script>alert(1)</script>"]]),
        Buffer.from("PK\u0003\u0004<script>")
      ])
      const clean = yield* render(polyglot)
      assert.notInclude(Buffer.from(clean.full.bytes).toString("latin1"), "script")
    })
  )

  it.effect("damaged, disguised and too small pictures are refused with a reason (IMAGE-2, IMAGE-3)", () =>
    Effect.gen(function* () {
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>')
      assert.include(yield* refusalOf(svg), "must be a PNG, a JPEG or a WebP")
      assert.include(
        yield* refusalOf(png(300, 300), "image/jpeg"),
        "is image/png, but the content type says image/jpeg"
      )
      assert.include(yield* refusalOf(png(300, 300).subarray(0, 120)), "is damaged")
      assert.include(yield* refusalOf(png(1, 1)), "is 1 × 1 pixels: each side must have at least 64")
    })
  )
})
