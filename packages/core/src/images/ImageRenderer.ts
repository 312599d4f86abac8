import type { Effect } from "effect"
import { Context, Data } from "effect"
import type { ImageKind, ImageMediaType } from "./ItemImage.ts"

/** The bytes are not a picture that the market accepts (IMAGE-2, IMAGE-3). `message` says what is wrong, after "the picture". */
export class ImageInvalid extends Data.TaggedError("ImageInvalid")<{ readonly message: string }> {}

/** This process cannot decode pictures, because the decoder is not installed (IMAGE-13). */
export class ImagesUnsupported extends Data.TaggedError("ImagesUnsupported")<{}> {}

/** A WebP file without metadata. */
export interface RenderedImage {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/**
 * Decodes untrusted pictures and encodes them again.
 *
 * Contract: a picture that crashes the decoder, or takes too much time or memory, fails with `ImageInvalid` and does not affect the process. The
 * result has none of the metadata of the upload, and the same upload gives the same result (IMAGE-4).
 */
export class ImageRenderer extends Context.Service<
  ImageRenderer,
  {
    readonly render: (
      bytes: Uint8Array,
      mediaType: ImageMediaType,
      kind: ImageKind
    ) => Effect.Effect<
      { readonly full: RenderedImage; readonly small: RenderedImage },
      ImageInvalid | ImagesUnsupported
    >
  }
>()("@agent-marketplace/core/images/ImageRenderer") {}
