/**
 * The code of a module with every comment blanked, and its strings and regular expressions emptied of their content, so
 * that a search finds only code. Line breaks keep their positions. Expressions inside template literals count as text.
 */
export const codeOnly = (source: string): string => source.replace(token, blank)

const comment = String.raw`\/\*[\s\S]*?\*\/|\/\/[^\n]*`
const string = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|${"`"}(?:\\[\s\S]|[^${"`"}\\])*${"`"}`
const regex = String.raw`(?<=[(,=:[!&|?{};]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*`
const token = new RegExp(`${comment}|${string}|${regex}`, "g")

const blank = (text: string): string => (/^["'`]/.test(text) ? `${text[0]}${breaks(text)}${text[0]}` : breaks(text))

const breaks = (text: string): string => text.replaceAll(/[^\n]/g, "")

/** The modules that a source imports or re-exports, with their lines. */
export const importsOf = (source: string): ReadonlyArray<{ readonly specifier: string; readonly line: number }> =>
  [...source.matchAll(importPattern)].map((match) => ({
    specifier: match[1] ?? match[2] ?? "",
    line: lineAt(source, match.index)
  }))

const importPattern = /^(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*["']([^"'\n]+)["']|\bimport\(\s*["']([^"'\n]+)["']/gm

/** The line, from 1, of an offset in a text. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length
