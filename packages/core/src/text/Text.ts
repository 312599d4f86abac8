/** Lengths count Unicode code points. A text with a NUL or an unpaired surrogate is refused (TEXT-1, TEXT-2). */
export const Text = {
  codePoints: (s: string): number => {
    let count = s.length
    for (let i = 0; i + 1 < s.length; i++) {
      if ((s.charCodeAt(i) & 0xfc00) === 0xd800 && (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
        count--
        i++
      }
    }
    return count
  },
  /** Whether the text has no NUL and no unpaired surrogates, and so is valid UTF-8 for every store. */
  isClean: (s: string): boolean => !/[\0\p{Cs}]/u.test(s),
  /** The first `n` code points. Surrogate pairs are never split. */
  clip: (s: string, n: number): string => {
    if (s.length <= n) return s
    let end = 0
    for (let taken = 0; taken < n && end < s.length; taken++) end += (s.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    return s.slice(0, end)
  }
}
