/** What a new SOUL starts with: the sections that the linter recommends. */
export const soulTemplate = `# SOUL

## Core Identity


## Persona Traits


## Communication Style


## Tone


## Expertise Areas


## Rules & Boundaries

- ALWAYS 
- NEVER 

## Example Scenarios

`

/** A SOUL.md in its two parts: the front matter between lines of three hyphens, and the text. */
export const partsOf = (content: string): { readonly matter: string | null; readonly body: string } => {
  const [whole = "", matter = null] = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(content) ?? []
  return { matter, body: content.slice(whole.length) }
}
