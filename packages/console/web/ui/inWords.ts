/** `prompt_injection` as people read it: "Prompt injection". */
export const inWords = (code: string): string => {
  const text = code.replaceAll(/[._]/g, " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}
