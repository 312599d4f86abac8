// The script and the style of every page (DOCS-6, DOCS-11).
import "./docs.css"
import { startSearch } from "./SearchBox.ts"

/** Samples name the address under which the page was opened (DOCS-8). */
const market = location.origin + (document.body.dataset["base"] ?? "")
for (const each of document.querySelectorAll("[data-market]")) each.textContent = market

/** How long a button says that it has copied, in milliseconds. */
const shownFor = 2000

/** Browsers have no clipboard on pages without HTTPS. */
const copy = async (text: string): Promise<string> => {
  try {
    await navigator.clipboard.writeText(text)
    return "Copied"
  } catch {
    return "Not copied"
  }
}

for (const block of document.querySelectorAll<HTMLElement>(".code")) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "copy"
  button.textContent = "Copy"
  const label = block.querySelector("pre")?.getAttribute("aria-label") ?? "code"
  button.setAttribute("aria-label", `Copy ${label}`)
  button.addEventListener("click", () => {
    void copy(block.querySelector("code")?.textContent ?? "").then((text) => {
      button.textContent = text
      setTimeout(() => {
        button.textContent = "Copy"
      }, shownFor)
    })
  })
  block.append(button)
}

/** Opens the program or the fields to which the address leads. */
const openTarget = (): void => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target instanceof HTMLDetailsElement) target.open = true
}
openTarget()
addEventListener("hashchange", openTarget)
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true
})

const place = document.getElementById("search")
if (place !== null) startSearch(place)
