/** Why something was not installed. Nothing of it was written, what stood there before still stands, and the purchase is untouched. */
export class InstallError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "InstallError"
  }
}
