/** Why a delivery is not to be believed, with the status to answer it with (DELIVERY-14). */
export class WebhookError extends Error {
  /** 401: the signature is missing or wrong. 400: it is too old, from the future, or not an event. */
  readonly statusCode: 400 | 401

  constructor(statusCode: 400 | 401, message: string) {
    super(message)
    this.name = "WebhookError"
    this.statusCode = statusCode
  }
}
