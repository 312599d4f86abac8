/** What is known about the host of a URL. Hosts reserved for examples are unknown ones (SCAN-8). */
const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s/u).filter((word) => word !== ""))

/** Official addresses of installers that are meant to be piped to a shell: host, or host and start of the path. */
const installers = list(`
  rclone.org get.chezmoi.io cdn.coollabs.io get.rke2.io getcomposer.org get.depot.dev get.nextflow.io 
  get.arkade.dev install.ohmyz.sh 
  repo.mysql.com packages.grafana.com dl.yarnpkg.com download.docker.com packages.gitlab.com packagecloud.io apt.releases.hashicorp.com rpm.releases.hashicorp.com apt.postgresql.org
  sh.rustup.rs static.rust-lang.org astral.sh get.docker.com deno.land bun.sh bun.com fnm.vercel.app get.pnpm.io install.python-poetry.org pdm-project.org
  raw.githubusercontent.com/Homebrew/ raw.githubusercontent.com/nvm-sh/ raw.githubusercontent.com/ohmyzsh/ raw.githubusercontent.com/pyenv/ raw.githubusercontent.com/rbenv/
  raw.githubusercontent.com/helm/ raw.githubusercontent.com/k3d-io/ raw.githubusercontent.com/asdf-vm/ raw.githubusercontent.com/golangci/ raw.githubusercontent.com/aquasecurity/
  raw.githubusercontent.com/anchore/ raw.githubusercontent.com/sigstore/ raw.githubusercontent.com/nektos/ raw.githubusercontent.com/tfutils/ raw.githubusercontent.com/terraform-linters/
  raw.githubusercontent.com/junegunn/ raw.githubusercontent.com/zplug/ raw.githubusercontent.com/trufflesecurity/ raw.githubusercontent.com/gitleaks/ raw.githubusercontent.com/kubernetes-sigs/
  raw.githubusercontent.com/conda-forge/ raw.githubusercontent.com/jesseduffield/ raw.githubusercontent.com/ajeetdsouza/ raw.githubusercontent.com/rancher/ raw.githubusercontent.com/securego/
  raw.githubusercontent.com/starship/ raw.githubusercontent.com/block/ raw.githubusercontent.com/squizlabs/ raw.githubusercontent.com/dokku/ raw.githubusercontent.com/rust-lang/ raw.githubusercontent.com/cli/
  raw.githubusercontent.com/microsoft/ raw.githubusercontent.com/Azure/ raw.githubusercontent.com/aws/ raw.githubusercontent.com/google/ raw.githubusercontent.com/GoogleCloudPlatform/ raw.githubusercontent.com/docker/
  get.helm.sh get.k3s.io get.sdkman.io get.volta.sh starship.rs mise.run mise.jdx.dev claude.ai cli.anthropic.com ollama.com ollama.ai fly.io cli.github.com cli.run.nu sh.keptn.sh
  install.determinate.systems nixos.org get.haskellstack.org get-ghcup.haskell.org pyenv.run bootstrap.pypa.io sdk.cloud.google.com aws.amazon.com awscli.amazonaws.com deb.nodesource.com
  rpm.nodesource.com get.scoop.sh community.chocolatey.org chocolatey.org just.systems sh.vector.dev get.jenv.be cli.doppler.com get.pulumi.com get.netlify.com vercel.com supabase.com
  railway.com railway.app cli.new install.meteor.com get.opentofu.org get.fluxcd.io fluxcd.io toolbelt.heroku.com cli-assets.heroku.com install.duckdb.org clickhouse.com tailscale.com pkgs.tailscale.com
  foundry.paradigm.xyz release.solana.com release.anza.xyz sh.brew.sh brew.sh raw.githubusercontent.com/foundry-rs/ raw.githubusercontent.com/bitwarden/ raw.githubusercontent.com/stedolan/ apt.llvm.org
  get.rvm.io git.io/zinit install.zerotier.com get.trivy.dev semgrep.dev cursor.com get.dagger.io dl.dagger.io dl.k8s.io storage.googleapis.com/golang go.dev dl.google.com nodejs.org
  opencode.ai get.anchore.io docs.astral.sh dot.net dotnet.microsoft.com packages.microsoft.com aka.ms ohmyposh.dev get.sst.dev sst.dev modal.com install.goreleaser.com get.gitpod.io cht.sh wasmtime.dev install.wasmer.io get.wasmer.io
  rustwasm.github.io get.jetify.com get.jetpack.io tea.xyz pkgx.sh setup.atuin.sh get.pixi.sh pixi.sh micro.mamba.pm repo.anaconda.com micromamba.snakepit.net julialang.org install.julialang.org get.elixir-lang.org elixir-install.org
  raw.githubusercontent.com/dracula/ get.tur.so ngrok-agent.s3.amazonaws.com cli.stripe.com packages.stripe.dev openclaw.ai goose-docs.ai block.github.io install.speedtest.net get.acme.sh`)

const services = list(`
  github.com api.github.com gitlab.com bitbucket.org codeberg.org sr.ht npmjs.com registry.npmjs.org www.npmjs.com pypi.org files.pythonhosted.org crates.io rubygems.org packagist.org pkg.go.dev proxy.golang.org jsr.io unpkg.com
  cdn.jsdelivr.net esm.sh cdnjs.cloudflare.com hub.docker.com ghcr.io quay.io mvnrepository.com maven.org nuget.org openai.com anthropic.com claude.com googleapis.com google.com gstatic.com microsoft.com azure.com
  windows.net live.com office.com graph.microsoft.com amazonaws.com amazon.com cloudflare.com vercel.app netlify.app stripe.com paypal.com slack.com discord.com telegram.org notion.so notion.com atlassian.net
  atlassian.com linear.app asana.com trello.com airtable.com hubspot.com salesforce.com zendesk.com intercom.io twilio.com sendgrid.com mailgun.net postmarkapp.com resend.com shopify.com twitter.com x.com facebook.com
  instagram.com linkedin.com reddit.com youtube.com vimeo.com spotify.com wikipedia.org wikidata.org wikimedia.org arxiv.org openalex.org crossref.org ncbi.nlm.nih.gov nih.gov who.int europa.eu gov.uk
  stackoverflow.com stackexchange.com developer.mozilla.org mozilla.org w3.org ietf.org iana.org schema.org json-schema.org opensource.org apache.org gnu.org python.org nodejs.org rust-lang.org golang.org go.dev
  kubernetes.io docker.com terraform.io hashicorp.com grafana.com grafana.net prometheus.io elastic.co datadoghq.com sentry.io newrelic.com pagerduty.com honeycomb.io huggingface.co replicate.com together.ai
  groq.com mistral.ai cohere.com cohere.ai deepseek.com openrouter.ai perplexity.ai x.ai elevenlabs.io stability.ai runwayml.com fal.ai assemblyai.com deepgram.com pinecone.io weaviate.io qdrant.io supabase.co
  supabase.com firebaseio.com firebase.com mongodb.com planetscale.com neon.tech upstash.io coingecko.com coinmarketcap.com binance.com kraken.com coinbase.com etherscan.io infura.io alchemy.com quicknode.com
  mainnet-beta.solana.com solana.com ethereum.org uniswap.org trongrid.io tronscan.org blockchain.info mempool.space 1inch.io jup.ag polymarket.com openweathermap.org open-meteo.com weather.gov wttr.in met.no alphavantage.co polygon.io
  finnhub.io yahoo.com sec.gov federalreserve.gov frankfurter.app exchangerate.host openstreetmap.org mapbox.com deepl.com figma.com canva.com adobe.com unsplash.com pexels.com giphy.com imgur.com cloudinary.com
  dropbox.com dropboxapi.com box.com zoom.us calendly.com cal.com todoist.com evernote.com obsidian.md readwise.io zotero.org medium.com substack.com dev.to hashnode.com wordpress.org wordpress.com ghost.org
  webflow.com wix.com squarespace.com contentful.com sanity.io algolia.com circleci.com jenkins.io travis-ci.com sonarcloud.io snyk.io virustotal.com haveibeenpwned.com shodan.io abuseipdb.com urlscan.io nvd.nist.gov
  nist.gov cve.org osv.dev api.osv.dev mitre.org owasp.org first.org ubuntu.com debian.org archlinux.org alpinelinux.org fedoraproject.org redhat.com opensuse.org apple.com android.com jetbrains.com visualstudio.com
  code.visualstudio.com cursor.com cursor.sh openclaw.ai clawhub.ai clawhub.com agentskills.io modelcontextprotocol.io home-assistant.io hackernews.com ycombinator.com firebaseio.com producthunt.com bsky.app bsky.social joinmastodon.org
  mastodon.social matrix.org signal.org whatsapp.com line.me weixin.qq.com qq.com feishu.cn larksuite.com dingtalk.com aliyun.com aliyuncs.com tencent.com baidu.com bilibili.com zhihu.com gitee.com yandex.ru yandex.net vk.com
  naver.com kakao.com rakuten.co.jp qiita.com zenn.dev 1password.com bitwarden.com doppler.com vaultproject.io letsencrypt.org tailscale.com digitalocean.com linode.com hetzner.com hetzner.cloud fly.io fly.dev railway.app render.com heroku.com
  python-poetry.org astral.sh deno.com bun.sh pnpm.io yarnpkg.com nuxt.com nextjs.org react.dev vuejs.org svelte.dev angular.dev tailwindcss.com djangoproject.com flask.palletsprojects.com fastapi.tiangolo.com
  rubyonrails.org laravel.com spring.io ffmpeg.org imagemagick.org pandoc.org latex-project.org graphviz.org mermaid.js.org plantuml.com playwright.dev selenium.dev puppeteer.dev cypress.io exa.ai tavily.com serpapi.com brave.com duckduckgo.com
  bing.com firecrawl.dev jina.ai apify.com zapier.com make.com n8n.io ifttt.com langchain.com llamaindex.ai wandb.ai mlflow.org databricks.com snowflake.com bigquery.cloud.google.com getdbt.com posthog.com mixpanel.com amplitude.com segment.com plausible.io
  brew.sh nixos.org rustup.rs docs.rs readthedocs.io readthedocs.org swagger.io openapis.org keepachangelog.com semver.org conventionalcommits.org editorconfig.org choosealicense.com creativecommons.org shields.io gnupg.org openssl.org openssh.com git-scm.com sqlite.org postgresql.org mysql.com redis.io trezor.io ledger.com metamask.io`)

const shorteners = list(
  "bit.ly tinyurl.com t.co goo.gl is.gd ow.ly cutt.ly rebrand.ly shorturl.at rb.gy tiny.cc s.id v.gd t.ly git.io clck.ru u.to dub.sh lnkd.in kutt.it shorturl.asia"
)
const pastes = list(
  "pastebin.com rentry.co rentry.org glot.io hastebin.com paste.ee dpaste.com dpaste.org ix.io termbin.com controlc.com ghostbin.com privatebin.net paste.rs sprunge.us clbin.com 0x0.st transfer.sh temp.sh file.io gofile.io anonfiles.com bashupload.com oshi.at paste.mozilla.org justpaste.it pastes.io textbin.net paste2.org write.as telegra.ph mega.nz mediafire.com catbox.moe files.catbox.moe litterbox.catbox.moe wetransfer.com sendspace.com pixeldrain.com tmpfiles.org uguu.se x0.at envs.sh notes.io"
)
const collectors = list(
  "webhook.site requestbin.com requestbin.net pipedream.net requestcatcher.com hookbin.com beeceptor.com interact.sh oast.fun oast.pro oast.live oast.site oast.online oast.me oastify.com burpcollaborator.net canarytokens.com canarytokens.org dnslog.cn ceye.io requestrepo.com postb.in mockbin.org smee.io typedwebhook.tools webhook-test.com svix.com"
)
const tunnels = list(
  "ngrok.io ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev trycloudflare.com loca.lt localtunnel.me serveo.net bore.pub localhost.run pagekite.me telebit.io devtunnels.ms tunnelmole.net lhr.life pinggy.link pinggy.io zrok.io"
)

/** Whether a host, or a domain above it, is in the list. */
const within = (host: string, domains: ReadonlySet<string>): boolean => {
  for (let at = 0; at >= 0;) {
    if (domains.has(host.slice(at))) return true
    const dot = host.indexOf(".", at)
    if (dot < 0) return false
    at = dot + 1
  }
  return false
}

export type HostKind =
  | "installer"
  | "known"
  | "unknown"
  | "ip"
  | "short"
  | "paste"
  | "collector"
  | "tunnel"
  | "hook"
  | "raw"
  | "local"
  | "onion"
  | "variable"

const startsAny = (text: string, starts: ReadonlySet<string>): boolean => {
  let slash = text.indexOf("/")
  if (slash < 0) return starts.has(text)
  if (starts.has(text.slice(0, slash))) return true
  slash = text.indexOf("/", slash + 1)
  return slash > 0 && starts.has(text.slice(0, slash + 1))
}

const lowerInstallers = new Set([...installers].map((entry) => entry.toLowerCase()))

const isIp = (host: string): boolean => {
  if (host.startsWith("[")) return true
  const parts = host.split(".")
  if (parts.length === 1) return host.startsWith("0x") || (host.length > 7 && isDigits(host))
  return parts.length === 4 && parts.every((part) => part.length <= 4 && isDigits(part))
}
const isDigits = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charAt(i) < "0" || text.charAt(i) > "9") return false
  return text.length > 0
}

const isLocal = (host: string): boolean =>
  host === "localhost" ||
  host.startsWith("127.") ||
  host === "0.0.0.0" ||
  host === "[::1]" ||
  host.endsWith(".local") ||
  host.endsWith(".localhost") ||
  host === "host.docker.internal" ||
  host.startsWith("192.168.") ||
  (host.startsWith("10.") && isIp(host))

/** Classifies by host and path, both in lower case. */
export const hostKind = (host: string, path: string): HostKind => {
  if (host === "" || host.includes("$") || host.includes("{") || host.includes("<")) return "variable"
  // The address of cloud metadata is a source of secrets (`metadata`), not where they go.
  if (host === "169.254.169.254" || host === "169.254.170.2") return "variable"
  if (isLocal(host)) return "local"
  if (isIp(host)) return "ip"
  if (host.endsWith(".onion")) return "onion"
  if (host === "discord.com" || host === "discordapp.com") return path.startsWith("/api/webhooks") ? "hook" : "known"
  if (host === "hooks.slack.com" || (host === "api.telegram.org" && path.startsWith("/bot"))) return "hook"
  if (startsAny(host + path, lowerInstallers)) return "installer"
  if (
    host === "raw.githubusercontent.com" ||
    host.startsWith("gist.") ||
    host === "raw.github.com" ||
    host.endsWith(".githubusercontent.com")
  )
    return "raw"
  if (within(host, pastes)) return "paste"
  if (within(host, collectors)) return "collector"
  if (within(host, tunnels)) return "tunnel"
  if (within(host, shorteners)) return "short"
  return within(host, services) ? "known" : "unknown"
}
