import { hydrateRoot } from "react-dom/client"
import "../styles.css"
import { Shop } from "./Shop.tsx"
import type { ShopPage } from "./ShopPage.ts"

/** The script of the shop window: at most 90 kB with all that it imports (SHOP-8). */
const root = document.getElementById("root")
const data = document.getElementById("page")?.textContent
if (root !== null && data) {
  hydrateRoot(root, <Shop base={document.body.dataset["base"] ?? ""} page={JSON.parse(data) as ShopPage} />)
}
