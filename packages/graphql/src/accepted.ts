const eventStream = "text/event-stream"

/** The media types of results. */
const resultTypes = [eventStream, "multipart/mixed", "application/graphql-response+json", "application/json"]

/** The ranges of media types that an `Accept` header contains. Results are in UTF-8 only. */
const rangesOf = (accept: string): ReadonlyArray<string> =>
  accept
    .replaceAll(/\s/g, "")
    .toLowerCase()
    .split(",")
    .filter((range) => /;charset=(?!utf-8)/.exec(range) === null)
    .map((range) => range.replace(/;.*/, ""))

const accepts = (accept: string, type: string): boolean => {
  const [group = ""] = type.split("/")
  return rangesOf(accept).some((range) => [type, `${group}/*`, "*/*"].includes(range))
}

/** Whether a client with this `Accept` header reads streams of events, which subscriptions need. */
export const acceptsStreams = (accept: string): boolean => accepts(accept, eventStream)

/** Whether a client with this `Accept` header reads any form of a result. */
export const acceptsResults = (accept: string): boolean => resultTypes.some((type) => accepts(accept, type))
