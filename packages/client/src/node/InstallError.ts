/** Why an item was not installed. Nothing was written: an earlier install and the purchase are unchanged. */
export class InstallError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "InstallError"
  }
}
