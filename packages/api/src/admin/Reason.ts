import { boundedText } from "@agent-marketplace/core/text/BoundedText"

/** The reason of an operator's write, for the log of actions (OPERATOR-14, OPERATOR-24). */
export const reasonText = boundedText({ min: 1, max: 1000 })
