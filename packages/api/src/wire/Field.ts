import { Schema } from "effect"

/**
 * A field of the wire with what the documents say of it. Both stand on the encoded side: they are about the JSON that is
 * sent, whatever it is decoded to.
 */
export const field = <S extends Schema.Top>(schema: S, description: string, example: S["Encoded"]): S["Rebuild"] =>
  schema.pipe(Schema.annotateEncoded<S>({ description, examples: [example] } as never))
