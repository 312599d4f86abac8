import { Schema } from "effect"

/**
 * A field with its documentation. Description and example are annotated on the encoded side: they are about the JSON that is
 * sent, not about the decoded value.
 */
export const field = <S extends Schema.Top>(schema: S, description: string, example: S["Encoded"]): S["Rebuild"] =>
  schema.pipe(Schema.annotateEncoded<S>({ description, examples: [example] } as never))
