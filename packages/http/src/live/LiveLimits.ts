import { Context } from "effect"

/** The limits and intervals of the streams of a process. */
export interface LiveBounds {
  /** The most open streams of this process (LIVE-7). */
  readonly perProcess: number
  /** A stream without a message for this long gets a comment. With `quietCheckMillis` that is less than 15 seconds (LIVE-8). */
  readonly quietMillis: number
  /** The interval of the check for quiet streams. */
  readonly quietCheckMillis: number
  /** How long a client of the WebSocket may take to authenticate (LIVE-16). */
  readonly authenticationMillis: number
  /** The interval between pings; a connection whose client did not answer the last one is closed (LIVE-16). */
  readonly pingMillis: number
}

/** The bounds of streams and sockets. Tests replace them with smaller ones. */
export const LiveLimits = Context.Reference<LiveBounds>("@agent-marketplace/http/live/LiveLimits", {
  defaultValue: () => ({
    perProcess: 10_000,
    quietMillis: 13_000,
    quietCheckMillis: 1000,
    authenticationMillis: 10_000,
    pingMillis: 20_000
  })
})
