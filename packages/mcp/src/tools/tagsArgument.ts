import { Schema } from "effect"
import { Argument } from "./Argument.ts"

/** Tags, to search by or to publish with. */
export const tagsArgument = (description: string) =>
  Schema.Array(Argument.text(1, 40, "1 to 40 characters, lowercase, hyphenated."))
    .check(
      Schema.makeFilter(
        (value: ReadonlyArray<string>) => (value.length <= 50 ? undefined : "must be at most 50 tags"),
        {
          toJsonSchema: () => ({ maxItems: 50 })
        }
      )
    )
    .annotate({ description })
