const secret = /\b(amk|whsec)_[\w+/=-]+/g

/** A text without the API keys and webhook secrets that it holds. */
export const withoutSecrets = (text: string): string => text.replace(secret, "$1_…")
