import { InstallError } from "@agent-marketplace/client/node/InstallError"
import { cloneArguments } from "@agent-marketplace/client/node/git/gitSettings"
import type { InstallLimits } from "@agent-marketplace/client/node/InstallOptions"
import { installSkill } from "@agent-marketplace/client/node/installSkill"
import { randomBytes } from "node:crypto"
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { marketOf } from "./fixtures/boughtSkill.ts"
import { refusal } from "./fixtures/refusal.ts"
import { committed, committedEntry, gitIn, noGit } from "@agent-marketplace/fixtures/sources/madeRepository"
import type { Sources } from "@agent-marketplace/fixtures/sources/startSources"
import { startSources } from "@agent-marketplace/fixtures/sources/startSources"

if (noGit !== undefined) process.stdout.write(`${noGit}\n`)

let root: string
let installDir: string
let sources: Sources

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "repositories-"))
  installDir = join(root, "installed", "skills")
  sources = await startSources({ git: root })
})
afterEach(async () => {
  await sources.stop()
  await rm(root, { recursive: true })
})

const install = (path: string, limits: Partial<InstallLimits> = {}, signal?: AbortSignal) => {
  const installUrl = path.startsWith("/") ? `${sources.url}${path}` : path
  const market = marketOf({ slug: "mail-sorter", installUrl })
  return installSkill(market, { skillId: "mail-sorter", installDir, allowLoopback: true, limits, signal })
}

const refused = async (attempt: Promise<unknown>, reason: RegExp) => {
  await refusal(attempt, reason)
  assert.deepStrictEqual(await readdir(installDir), [])
  assert.deepStrictEqual(await readdir(join(root, "installed")), ["skills"])
}

describe.skipIf(noGit !== undefined)("a repository", () => {
  it("is installed from its last commit, without .git, and that commit is its version", async () => {
    await committed(join(root, "git/sorter"), { "SKILL.md": "# Old\n", "gone.txt": "" })
    await rm(join(root, "git/sorter/gone.txt"))
    const files = { "SKILL.md": "# New\n", "src/deep/er.txt": "x\r\n", "empty.txt": "" }
    const commit = await committed(join(root, "git/sorter"), files)
    for (const path of ["/git/sorter", "/git/sorter/", "/git/sorter/.git"]) {
      const { installedPath, source, version } = await install(path)
      assert.deepStrictEqual([version, source], [commit, { type: "repository", url: sources.url + path }])
      const found = await readdir(installedPath, { recursive: true })
      assert.deepStrictEqual(found.toSorted(), ["SKILL.md", "empty.txt", "src", "src/deep", "src/deep/er.txt"])
      for (const [file, content] of Object.entries(files))
        assert.strictEqual(await readFile(join(installedPath, file), "utf8"), content)
    }
    assert.isTrue(sources.requests.every(({ headers }) => headers.authorization === undefined))
  })

  it("is fetched from the checked addresses of its host", async () => {
    const commit = await committed(join(root, "git/sorter"), { "SKILL.md": "# New\n" })
    const { version } = await install(`${sources.url.replace("127.0.0.1", "localhost")}/git/sorter`)
    assert.strictEqual(version, commit)
    const settings = cloneArguments(new URL("https://example.com/x"), ["192.0.2.1", "2001:db8::1"], "folder")
    assert.include(settings, "http.curloptResolve=example.com:443:192.0.2.1,[2001:db8::1]")
    assert.deepStrictEqual(settings.slice(-3), ["--", "https://example.com/x", "folder"])
  })

  it("is found through a redirect, which git itself does not follow", async () => {
    await committed(join(root, "git/sorter"), { "SKILL.md": "# New\n" })
    const location = "/git/sorter/info/refs?service=git-upload-pack"
    sources.pages.set("/old/info/refs", { status: 301, headers: { location } })
    assert.strictEqual((await install("/old")).source.url, `${sources.url}/old`)
    sources.pages.set("/git/sorter/git-upload-pack", { status: 302, headers: { location: `${sources.url}/elsewhere` } })
    await rm(installDir, { recursive: true })
    await refused(install("/old"), /^git: "fatal: /)
    assert.isFalse(sources.requests.some(({ url }) => url === "/elsewhere"))
  })

  it("runs nothing: hooks, filters, LFS, attributes and settings of the repository have no effect (INSTALL-2)", async () => {
    const trap = join(root, "trapped")
    const script = `#!/bin/sh\ntouch ${trap}\n`
    const attributes = "* filter=evil text eol=crlf export-subst\nsecret.txt export-ignore\n"
    const files = {
      ".gitattributes": attributes,
      ".lfsconfig": "[lfs]\n\turl = https://example.com/evil\n",
      "hooks/post-checkout": script,
      "install.sh": script,
      "package.json": `{ "scripts": { "postinstall": "touch ${trap}" } }`,
      "secret.txt": "$Format:%H$\n"
    }
    const repository = join(root, "git/evil")
    await committed(repository, files)
    await mkdir(join(root, "home"))
    const settings = `[filter "evil"]\n\tsmudge = touch ${trap}\n[core]\n\thooksPath = ${repository}/hooks\n\tfsmonitor = ${repository}/install.sh\n`
    await writeFile(join(root, "home/.gitconfig"), settings)
    for (const file of ["hooks/post-checkout", "install.sh"]) await chmod(join(repository, file), 0o755)
    const home = process.env["HOME"]
    process.env["HOME"] = join(root, "home")
    try {
      const { installedPath } = await install("/git/evil")
      for (const [file, content] of Object.entries(files)) {
        assert.strictEqual(await readFile(join(installedPath, file), "utf8"), content)
        assert.strictEqual((await stat(join(installedPath, file))).mode & 0o111, 0)
      }
    } finally {
      if (home === undefined) delete process.env["HOME"]
      else process.env["HOME"] = home
    }
    assert.notInclude(await readdir(root), "trapped")
  })

  it.each([
    ["120000", "passwd", "/etc/passwd", /"passwd" is a symbolic link/],
    ["160000", "module", "", /"module" is a submodule/],
    ["100644", "../evil", "evil", /has a part \.\./],
    ["100644", "a/../../evil", "evil", /has a part \.\./],
    ["100644", ".git/config", "[core]", /\.git folder/],
    ["100644", ".GIT/hooks/post-checkout", "evil", /\.git folder/],
    ["100644", "GIT~1/config", "evil", /\.git folder/],
    ["100644", "a\\b", "evil", /has a backslash/],
    ["100644", "C:evil", "evil", /is absolute/],
    ["100644", "line\nbreak", "evil", /cannot be shown/],
    ["100644", "con.txt", "evil", /Windows device/]
  ])("with the mode %s at %j is refused", async (mode, path, content, reason) => {
    await committedEntry(join(root, "git/evil"), mode, path, content)
    await refused(install("/git/evil"), reason)
  })

  it("with too many files, too many bytes or too large a pack is refused", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.txt`, `${n}`]))
    await committed(join(root, "git/many"), many)
    await refused(install("/git/many", { files: 29 }), /more than 29 files/)
    await committed(join(root, "git/zeros"), { zeros: "0".repeat(1_000_000) })
    await refused(install("/git/zeros", { totalBytes: 10_000 }), /its files have more than 10000 bytes/)
    await refused(install("/git/zeros", { fileBytes: 10_000 }), /the file "zeros" has more than 10000 bytes/)
    await committed(join(root, "git/noise"), { noise: randomBytes(50_000).toString("base64") })
    await refused(install("/git/noise", { downloadBytes: 20_000 }), /the repository has more than 20000 bytes/)
  })

  it("100,000 files", async () => {
    const repository = join(root, "git/files")
    const blob = await committed(repository, { a: "x" }).then(() => gitIn(repository, ["rev-parse", "HEAD:a"]))
    const names = (folder: string) => Array.from({ length: 1000 }, (_, n) => `100644 blob ${blob}\t${folder}${n}`)
    const inner = gitIn(repository, ["mktree"], names("f").join("\n"))
    const outer = Array.from({ length: 100 }, (_, n) => `040000 tree ${inner}\td${n}`).join("\n")
    const commit = gitIn(repository, ["commit-tree", "-m", "many", gitIn(repository, ["mktree"], outer)])
    gitIn(repository, ["update-ref", "refs/heads/main", commit])
    await refused(install("/git/files"), /more than 10000 files/)
  })

  it("without a commit, or that does not exist, is refused", async () => {
    await mkdir(join(root, "git/empty"), { recursive: true })
    gitIn(join(root, "git/empty"), ["init", "--quiet"])
    await refused(install("/git/empty"), /has no commit/)
    await refused(install("/git/nothing"), /responded with HTTP 404/)
  })

  it("that stalls is aborted at the time limit, or by the caller", async () => {
    await committed(join(root, "git/slow"), { "SKILL.md": "# Slow\n" })
    let arrived: () => void = () => undefined
    sources.pages.set("/git/slow/git-upload-pack", { answer: () => arrived() })
    await refused(install("/git/slow", { seconds: 0.5 }), /more than 0.5 seconds/)
    const controller = new AbortController()
    arrived = () => controller.abort(new InstallError("enough"))
    await refused(install("/git/slow", {}, controller.signal), /^enough$/)
  })
})

describe("without a suitable git", () => {
  const advertised = { headers: { "content-type": "application/x-git-upload-pack-advertisement" } }

  const withPath = async (path: string, action: () => Promise<void>) => {
    const usual = process.env["PATH"]
    process.env["PATH"] = path
    try {
      await action()
    } finally {
      process.env["PATH"] = usual
    }
  }

  it("a repository is refused if git is not installed", async () => {
    sources.pages.set("/git/sorter/info/refs", advertised)
    await withPath(join(root, "nothing"), () =>
      refused(install("/git/sorter"), /there is no git on this machine's PATH/)
    )
  })

  it("a repository is refused if git is too old to connect only to the checked addresses", async () => {
    sources.pages.set("/git/sorter/info/refs", advertised)
    await mkdir(join(root, "old"))
    await writeFile(join(root, "old/git"), "#!/bin/sh\necho git version 2.36.1\n", { mode: 0o755 })
    await withPath(join(root, "old"), () =>
      refused(install("/git/sorter"), /git 2\.37 or later .* not "git version 2\.36\.1"/)
    )
  })
})
