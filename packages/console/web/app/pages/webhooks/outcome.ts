import type { Delivery, DeliveryAttempt } from "@agent-marketplace/client/wire/Endpoints"

/** The words for the state of a delivery, and the colour of its badge. */
export const outcomeOf = ({ nextAttemptAt, status }: Delivery): readonly [text: string, color: string] => {
  if (status === "delivered") return ["Delivered", "text-good"]
  if (status === "failed") return ["Failed", "text-bad"]
  return nextAttemptAt === null ? ["Kept", "text-warn"] : ["Waiting", "text-warn"]
}

/** How an attempt ended. */
export const attemptText = ({ durationMs, error, statusCode }: DeliveryAttempt): string =>
  `${statusCode === null ? (error ?? "no response") : `HTTP ${statusCode}`} after ${durationMs} ms`

/** How the last attempt of a delivery ended. */
export const lastOutcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1)
  return last === undefined ? "not attempted yet" : attemptText(last)
}
