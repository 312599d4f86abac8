const literal = /^[+-]?(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** Whether a number, as it is written, has a digit other than 0 after the sixth decimal. */
const hasMoreDecimals = (text: string): boolean => {
  const [, whole = "", fraction = "", exponent = "0"] = literal.exec(text) ?? []
  const shift = Number(exponent)
  if (!Number.isSafeInteger(shift) || Math.abs(shift) > 1000) return shift < 0 && /[1-9]/.test(whole + fraction)
  const digits = (whole + fraction).padStart(whole.length + fraction.length + Math.max(0, -shift), "0")
  const decimals = fraction.length - shift
  return decimals > 6 && /[1-9]/.test(digits.slice(digits.length - decimals + 6))
}

/**
 * The value of a field of a YAML or JSON text, as it is written if it is a number with more than 6 decimals. Once parsed,
 * `5.00000000000000000001` is 5: only the text shows it (MONEY-5).
 */
const exactField = (text: string, name: string, value: unknown): unknown => {
  if (typeof value !== "number") return value
  const written = new RegExp(`(?:^|[\\s{,])["']?${name}["']?\\s*:\\s*([+-]?\\d[\\d.eE+-]*)`, "g")
  for (const [, number = ""] of text.matchAll(written))
    if (Number(number) === value && hasMoreDecimals(number)) return number
  return value
}

/** Numbers as they are written, which parsing would round. */
export const DecimalLiteral = { hasMoreDecimals, exactField }
