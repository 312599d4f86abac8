const secret = /\b(amk_|whsec_|xprv)[\w+/=-]+/g

/** A text without the API keys, webhook secrets and private keys that it holds. */
export const withoutSecrets = (text: string): string => text.replace(secret, "$1…")
