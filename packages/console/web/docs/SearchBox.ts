import { makeSearch } from "./search.ts"
import type { SearchEntry } from "./search.ts"

const most = 12

const { base = "", search = "" } = document.body.dataset

const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...children: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

const input = element("input", {
  type: "search",
  class: "field",
  placeholder: "Search the documentation",
  "aria-label": "Search the documentation",
  role: "combobox",
  "aria-autocomplete": "list",
  "aria-controls": "results",
  "aria-expanded": "false",
  "aria-keyshortcuts": "/",
  autocomplete: "off",
  maxlength: "100"
})
const list = element("ul", { id: "results", role: "listbox", "aria-label": "Results", hidden: "" })
const status = element("p", { class: "status", role: "status" })

/** Loaded when somebody searches first; after a failure the next input tries again. */
let loading: Promise<ReturnType<typeof makeSearch>> | undefined
const load = () => {
  loading ??= fetch(search)
    .then((response) => {
      if (!response.ok) throw new Error(String(response.status))
      return response.json() as Promise<ReadonlyArray<SearchEntry>>
    })
    .then(makeSearch)
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

let chosen = -1

const choose = (index: number): void => {
  const options = [...list.children]
  chosen = options.length === 0 ? -1 : (index + options.length) % options.length
  options.forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)))
  const current = options[chosen]
  if (current === undefined) input.removeAttribute("aria-activedescendant")
  else {
    input.setAttribute("aria-activedescendant", current.id)
    current.scrollIntoView({ block: "nearest" })
  }
}

const close = (): void => {
  list.hidden = true
  input.setAttribute("aria-expanded", "false")
  input.removeAttribute("aria-activedescendant")
}

const addressOf = ({ path }: SearchEntry): string => `${base}/docs${path}`

const show = (entries: ReadonlyArray<SearchEntry>): void => {
  list.replaceChildren(
    ...entries.map((entry, index) => {
      const kind = element("span", { class: "kind" }, entry.kind)
      const option = element(
        "li",
        { role: "option", id: `result-${index}`, "aria-selected": "false" },
        entry.title,
        kind
      )
      option.dataset["address"] = addressOf(entry)
      return option
    })
  )
  list.hidden = entries.length === 0
  input.setAttribute("aria-expanded", String(entries.length > 0))
  choose(0)
}

const update = async (): Promise<void> => {
  const query = input.value
  if (query.trim() === "") {
    status.textContent = ""
    show([])
    return
  }
  try {
    const found = (await load())(query, most)
    if (query !== input.value) return
    show(found)
    status.textContent = found.length === 0 ? "Nothing found." : `${found.length} results`
    status.classList.toggle("shown", found.length === 0)
  } catch {
    show([])
    status.textContent = "The search could not be loaded. Type again to retry."
    status.classList.add("shown")
  }
}

const open = (option: Element | undefined): void => {
  const address = (option as HTMLElement | undefined)?.dataset["address"]
  if (address === undefined) return
  close()
  input.blur()
  location.assign(address)
}

const keys: Readonly<Record<string, () => void>> = {
  ArrowDown: () => choose(chosen + 1),
  ArrowUp: () => choose(chosen - 1),
  Enter: () => open(list.children[chosen]),
  Escape: close
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The search in the header: `/` focuses it, the arrows choose, Enter opens (DOCS-7). */
export const startSearch = (place: HTMLElement): void => {
  place.append(input, list, status)
  place.hidden = false
  input.addEventListener("input", () => void update())
  input.addEventListener("focus", () => void load().catch(() => undefined))
  input.addEventListener("keydown", (event) => {
    const act = keys[event.key]
    if (act === undefined || (list.hidden && event.key !== "Escape")) return
    event.preventDefault()
    act()
  })
  input.addEventListener("blur", close)
  // The input would lose the focus, and close the list, before the click.
  list.addEventListener("pointerdown", (event) => event.preventDefault())
  list.addEventListener("click", ({ target }) => open((target as Element).closest("[role=option]") ?? undefined))
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
