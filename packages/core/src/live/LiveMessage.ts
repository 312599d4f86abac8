/** One message of a stream, shared by everybody who gets it. */
export interface LiveMessage {
  /** A reader that sends it back continues after this message. Null for statistics, which are only current. */
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
