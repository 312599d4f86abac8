import { Schema } from "effect"
import { ResponseField } from "./ResponseField.ts"

/** `pagination` of an unwrapped list (WIRE-18). `what` is in the plural; `total` describes the total number. */
export const pagesField = (what: string, total: string) =>
  Schema.Struct({
    page: ResponseField.count("The page, counted from 1.", 1),
    limit: ResponseField.count(`The most ${what} on a page.`, 20),
    total: ResponseField.count(total, 1),
    pages: ResponseField.count("The number of pages; 0 if there are no records.", 1)
  }).annotate({ description: "Which page of the list this is." })
