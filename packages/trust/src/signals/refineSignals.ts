import { conceptIndex } from "./concepts.ts"
import type { Hits } from "./matchWords.ts"

/**
 * Drops hits whose words say something else where they stand: a key that is used and not read, a schedule that is listed, a deletion of what
 * can be built again.
 */
type Keeps = (text: string, start: number, end: number) => boolean

const before = (text: string, start: number, words: ReadonlyArray<string>): boolean => {
  const part = text.slice(Math.max(0, start - 24), start)
  return words.some((word) => part.endsWith(word))
}

/** `ssh -i ~/.ssh/id_ed25519` uses a key; a public half is no secret. */
const readsKey: Keeps = (text, start, end) => {
  let open = start
  while (open > 0 && start - open < 24 && !" \"'`=(".includes(text.charAt(open - 1))) open--
  if (before(text, open, ["-i ", "identityfile ", "identity_file=", 'identityfile "', '-i "'])) return false
  let close = end
  while (close < text.length && close - start < 60 && !" \"'`)".includes(text.charAt(close))) close++
  return !publicParts.some((part) => text.slice(start, close).endsWith(part))
}

/** Files next to keys that hold no secret. */
const publicParts = [".pub", "authorized_keys", "known_hosts"]

/** Services of widely used packages. To start them at boot is administration; a unit of the release's own is not among them. */
const knownServices = [
  "apache2",
  "bluetooth",
  "caddy",
  "chronyd",
  "containerd",
  "cups",
  "docker",
  "fail2ban",
  "firewalld",
  "grafana-server",
  "haproxy",
  "httpd",
  "jenkins",
  "k3s",
  "kubelet",
  "libvirtd",
  "mariadb",
  "mongod",
  "mosquitto",
  "mysql",
  "networkmanager",
  "nginx",
  "podman",
  "postgresql",
  "prometheus",
  "rabbitmq-server",
  "redis",
  "redis-server",
  "smbd",
  "sshd",
  "tailscaled",
  "ufw",
  "unattended-upgrades",
  "wg-quick@wg0"
]

/** Whether `systemctl enable` names only such services. */
const enablesKnown = (text: string, start: number): boolean => {
  const [command = ""] = text.slice(start, start + 120).split(/[\n;&|`]/u)
  const units = command
    .split(" ")
    .slice(1)
    .filter((word) => word !== "" && word !== "enable" && word !== "--now" && word !== "start")
  return units.length > 0 && units.every((unit) => knownServices.includes(unit.replace(".service", "")))
}

/** Listing and editing by hand install nothing, nor does a removal. */
const installs: Keeps = (text, start, end) => {
  const word = text.slice(start, end)
  if (word.startsWith("systemctl")) return !enablesKnown(text, start)
  if (word.startsWith("crontab -")) {
    const argument = text.slice(start, start + 24)
    return !(argument.startsWith("crontab -l") || argument.startsWith("crontab -e")) || text.includes("| crontab")
  }
  return !(
    word.includes("launchagents") &&
    ["launchctl bootout", "launchctl unload", "ls ", "rm "].some(
      (verb) => before(text, start, [verb]) || text.startsWith(verb)
    )
  )
}

/** Names of folders that programs make anew. */
const madeAnew = [
  "cache",
  "/tmp/",
  "deriveddata",
  "/var/lib/apt/lists",
  "node_modules",
  "/build",
  "/dist",
  "/target",
  ".backup",
  "/logs"
]

/** Deleting a cache or shredding one named file is limited; deleting a home folder is not. */
const destroys: Keeps = (text, start) => {
  const rest = text.slice(start, start + 120)
  if (rest.startsWith("shred -")) {
    const target = rest.split(" ").find((part, i) => i > 0 && !part.startsWith("-")) ?? "/"
    return "/~*$".includes(target.charAt(0)) || target.includes("*")
  }
  if (!rest.startsWith("rm -")) return true
  const target = (rest.split(" ").find((part, i) => i > 0 && !part.startsWith("-")) ?? "/").replaceAll('"', "")
  return !madeAnew.some((name) => target.includes(name)) || target.includes("..")
}

/** Tightening the permissions of a file with keys grants nothing, and `ssh-copy-id` adds the user's own key to the user's server. */
const grants: Keeps = (text, start) => {
  if (!text.startsWith("authorized_keys", start)) return true
  if (text.includes("ssh-copy-id")) return false
  return !["chmod 600", "chmod 700", "chown ", "look at", "check "].some((verb) => {
    const at = text.lastIndexOf(verb, start)
    return at >= 0 && start - at < 60 && !text.slice(at, start).includes(">")
  })
}

/** "From the company's wallet" names a source and no recipient. */
const receives: Keeps = (text, start) => !before(text, start, ["from ", "by ", "von ", "desde ", "depuis "])

/** Parts of a path, such as `/usr/share`, send nothing. */
const sends: Keeps = (text, start, end) =>
  !(["share", "email", "mail"].includes(text.slice(start, end)) && text.charAt(start - 1) === "/")

/** Things of the user that stand behind "on your own" as a possession. */
const possessions = [
  "machine",
  "server",
  "computer",
  "account",
  "site",
  "domain",
  "hardware",
  "host",
  "network",
  "device",
  "laptop",
  "repositor",
  "system"
]

/** "On your own machines" says whose machines they are. */
const actsAlone: Keeps = (text, start, end) =>
  !(text.slice(start, end) === "on your own" && possessions.some((noun) => text.startsWith(` ${noun}`, end)))

/** The signing key of a package repository is a public one. */
const signsPackages: Keeps = (text, start, end) =>
  !(
    text.slice(start, end).startsWith("signing key") &&
    ["repositor", "package", "apt ", "gpg"].some((word) => text.includes(word))
  )

const keeps = new Map<number, Keeps>([
  [conceptIndex("credentialFile"), readsKey],
  [conceptIndex("keyFile"), readsKey],
  [conceptIndex("scheduleInstall"), installs],
  [conceptIndex("destroy"), destroys],
  [conceptIndex("sshAccess"), grants],
  [conceptIndex("thirdParty"), receives],
  [conceptIndex("send"), sends],
  [conceptIndex("silent"), actsAlone],
  [conceptIndex("walletSecret"), signsPackages]
])

/** Removes the hits that are harmless because of the words around them. */
export const refineSignals = (text: string, hits: Hits): Hits => {
  const keptHits = hits.filter(({ concept, start, end }) => keeps.get(concept)?.(text, start, end) !== false)
  return keptHits.length === hits.length ? hits : keptHits
}
