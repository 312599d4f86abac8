/**
 * Prepares for uPlot, which formats numbers in `navigator.language` as soon as it is loaded and takes no locale as an option. A browser may
 * have a language that is not a BCP 47 tag, such as `en-US@posix`; it is replaced by the longest part that is one, else by `en` (CONSOLE-36).
 */
export const ensureSafeLanguage = (navigator: { readonly language: string }): void => {
  const { language } = navigator
  const safe = [language, language.split(/[@.]/)[0] ?? "", "en"].find(isLocale)
  if (safe !== language) Object.defineProperty(navigator, "language", { value: safe, configurable: true })
}

const isLocale = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
