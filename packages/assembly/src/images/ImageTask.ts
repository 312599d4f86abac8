/** A picture to decode, by format, and the sizes of its variants in pixels. */
export interface ImageTask {
  readonly bytes: Uint8Array
  readonly format: "png" | "jpeg" | "webp"
  readonly full: VariantSize
  readonly small: VariantSize
}

/** `cover` fills the size and cuts the rest off; `inside` keeps the whole picture and never enlarges it. */
export interface VariantSize {
  readonly width: number
  readonly height: number
  readonly fit: "cover" | "inside"
}

export interface RenderedVariant {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

export type ImageReply =
  | { readonly _tag: "Rendered"; readonly full: RenderedVariant; readonly small: RenderedVariant }
  | { readonly _tag: "Refused"; readonly message: string }
  /** The decoder is not installed. */
  | { readonly _tag: "Unsupported" }
