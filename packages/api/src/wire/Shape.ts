import { Schema } from "effect"

/** The key under which a text of the URL says what it is a text of; {@link documented} puts it in its place. */
export const shapeKey = "x-shape"

/** A text that always passes and is described by that JSON schema instead: query parameters are texts on the wire only. */
export const textOf = (shape: Readonly<Record<string, unknown>>) =>
  Schema.String.annotate({ message: "must be given once" }).check(
    Schema.makeFilter(() => true, { toJsonSchema: () => ({ [shapeKey]: shape }) })
  )
