/** The most secrets that are remembered as valid. */
const remembered = 10_000

/** The number of last characters by which a secret is remembered: too few to use it, and too many to guess. */
const rememberedCharacters = 12

/**
 * Keys or session secrets that were valid recently. The limit on unknown ones does not apply to them; each request still verifies the
 * secret.
 */
export const makeRecentlyValid = () => {
  const endings = new Set<string>()
  return {
    has: (secret: string) => endings.has(secret.slice(-rememberedCharacters)),
    add: (secret: string) => {
      const [oldest] = endings
      if (endings.size >= remembered && oldest !== undefined) endings.delete(oldest)
      endings.add(secret.slice(-rememberedCharacters))
    }
  }
}
