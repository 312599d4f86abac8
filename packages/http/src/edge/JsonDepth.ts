/** How deep arrays and objects of a body may lie in each other. */
export const maxDepth = 64

const quote = 34
const backslash = 92

/** The index of the quote that closes the string which opens at `start`; the length where none does. */
const closing = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** Whether a JSON text nests no deeper than {@link maxDepth}. Says nothing about its being valid. */
export const isShallow = (text: string): boolean => {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = closing(text, i)
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return false
    } else if (code === 93 || code === 125) depth--
  }
  return true
}
