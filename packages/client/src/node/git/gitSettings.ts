import { isIP } from "node:net"
import { devNull } from "node:os"
import { delimiter, dirname, isAbsolute } from "node:path"

/** The variables that git receives: temporary folders and certificate authorities. No proxies, credentials or git settings. */
const kept = ["SystemRoot", "TEMP", "TMP", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"]

/** A relative entry of PATH would be resolved in the folder in which git runs, which is inside a project that anybody may have written. */
const absolutePath = (): string =>
  (process.env["PATH"] ?? process.env["Path"] ?? "").split(delimiter).filter(isAbsolute).join(delimiter)

/**
 * The environment of git without any configuration (CLIENT-17): no credential helpers, hooks, filters or prompts. `folder` is its working
 * directory; repositories and settings in the folders above are ignored.
 */
export const gitEnvironment = (allowHttp: boolean, folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  PATH: absolutePath(),
  GIT_ALLOW_PROTOCOL: allowHttp ? "https:http" : "https",
  GIT_ASKPASS: "",
  GIT_CEILING_DIRECTORIES: dirname(folder),
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C"
})

/**
 * Arguments of a clone that fetches the objects of the last commit only. It is bare: nothing is checked out, so hooks, filters,
 * attributes and links have no effect. Connections go to the checked addresses and follow no redirect.
 */
export const cloneArguments = (url: URL, addresses: ReadonlyArray<string>, folder: string): ReadonlyArray<string> => {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const port = url.port === "" ? (url.protocol === "http:" ? "80" : "443") : url.port
  const bracketed = addresses.map((address) => (isIP(address) === 6 ? `[${address}]` : address))
  const settings = {
    "core.bigFileThreshold": "1m",
    "core.fsmonitor": "false",
    "core.hooksPath": devNull,
    "core.symlinks": "false",
    "credential.helper": "",
    "gc.auto": "0",
    "http.followRedirects": "false",
    "http.lowSpeedLimit": "1",
    "http.lowSpeedTime": "30",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "transfer.bundleURI": "false",
    ...(isIP(host) === 0 ? { "http.curloptResolve": `${host}:${port}:${bracketed.join(",")}` } : {})
  }
  return [
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    "clone",
    "--quiet",
    "--bare",
    "--depth=1",
    "--single-branch",
    "--no-tags",
    "--no-recurse-submodules",
    "--template=",
    "--",
    url.href,
    folder
  ]
}
