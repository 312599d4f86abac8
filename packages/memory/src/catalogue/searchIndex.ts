import { SearchText } from "@agent-marketplace/core/text/SearchText"

/** The words of a text, each after a space, so that a space and a prefix find the words that start with it. */
export const searchIndex = (text: string): string =>
  SearchText.words(text)
    .map((word) => ` ${word}`)
    .join("")
