import { isIP } from "node:net"
import { devNull } from "node:os"

/** Of this process's environment: where programs are, and whom TLS trusts. No proxies, no credentials, no settings of git. */
const kept = ["PATH", "Path", "SystemRoot", "TEMP", "TMP", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"]

/** Git as if nobody had ever configured it: no credential helpers, no hooks, no filters, no questions. */
export const gitEnvironment = (allowHttp: boolean): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  GIT_ALLOW_PROTOCOL: allowHttp ? "https:http" : "https",
  GIT_ASKPASS: "",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C"
})

/**
 * Arguments of a clone that gets the objects of the last commit and nothing else: bare, so that nothing is checked out and neither
 * hooks, filters, attributes nor links are ever looked at. Connections go to the addresses that were found allowed and follow no redirect.
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
