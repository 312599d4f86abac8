/** Why the stored keys cannot be used. No message contains a key. */
export class KeyFileError extends Error {
  readonly code: "KEY_FILE_BROKEN" | "KEY_FILE_EXPOSED"
  /** What to do about it. */
  readonly hint: string

  constructor(code: KeyFileError["code"], message: string, hint: string) {
    super(message)
    this.name = "KeyFileError"
    this.code = code
    this.hint = hint
  }
}
