/** One message of a stream, shared by all followers that receive it. */
export interface LiveMessage {
  /** The cursor of the message: a reader that sends it continues after the message. Null for statistics, which cannot be continued. */
  readonly id: string | null
  /** Its place in the stream; messages of one event share it. Null for statistics. */
  readonly position: number | null
  readonly event: string
  /** JSON on one line. */
  readonly data: string
}

/** Messages, and the position up to which they are complete. */
export interface LivePage {
  readonly messages: ReadonlyArray<LiveMessage>
  readonly position: number
}
