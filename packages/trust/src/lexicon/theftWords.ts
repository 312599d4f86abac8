/** Words for what is stolen and how it leaves, by concept. The form is that of `injectionWords`. */
export const theftWords = {
  walletSecret: `wallet backup; wallet backups; twelve or twenty-four; twenty-four english words; 24 english; twelve english words; seed backup;
    recovery words; secret words; backup words; wallet words; recovery code words; private key; private keys; seed phrase; seed phrases;
    seed words; mnemonic; mnemonics; recovery phrase; recovery phrases; secret recovery; secret phrase; backup phrase; wallet file; wallet files;
    wallet key; wallet keys; wallet credentials; wallet's keys; wallet.dat; wallet seed; keystore; keystores; keypair; signing key; signing keys;
    master key; 12 words; twelve words; 24 words; twelve-word; 12-word; 24-word; clave privada; claves privadas; frase semilla;
    frase de recuperacion; palabras semilla; llave privada; llaves privadas; chave privada; chaves privadas; frase semente; frase de recuperacao;
    privater schlussel; privaten schlussel; private schlussel; privatschlussel; wiederherstellungsphrase; seed-phrase; seed-phrasen; cle privee;
    cles privees; phrase de recuperation; phrase secrete; phrase mnemonique; chiave privata; chiavi private; frase di recupero; ozel anahtar*;
    kurtarma ifade*; kurtarma kelime*; tohum ifade*; prive-sleutel*; klucz prywatny; klucze prywatne; kunci privat; приватн* ключ*;
    приватный ключ; приватные ключи; приватного ключа; закрытый ключ; закрытые ключи; сид-фраз*; сид фраз*; мнемоник*; мнемонич*;
    фраз* восстановления; фразу восстановления; секретную фразу; 私钥; 私鑰; 助记词; 助記詞; 种子短语; 恢复短语; 钱包密钥; 秘密鍵; シードフレーズ; リカバリーフレーズ; ニーモニック; 復元フレーズ;
    개인키; 개인 키; 시드 문구; 복구 문구; 니모닉; 시드 구문; المفتاح الخاص; المفاتيح الخاصة; عبارة الاسترداد; عبارة الاستعادة; العبارة السرية; العبارة الأولية`,
  credentialFile: `.cursor/mcp.json; mcp.json; claude_desktop_config.json; secrets folder; .config/**; ~/.config/*; leveldb*; local storage/*; discord/local*;
    .openclaw/*; openclaw/credentials*; credentials.json; ~/.ssh*; .ssh/*; /.ssh*; \\.ssh*; id_rsa; id_ed25519; id_ecdsa; id_dsa; ssh key;
    ssh keys; ssh private key; ssh private keys; .aws/credentials; .aws/config; ~/.aws*; .aws/*; .azure/*; application_default_credentials.json;
    .config/gcloud*; gcloud/credentials*; .kube/config; kubeconfig; .netrc; .npmrc; .pypirc; .git-credentials; .gnupg*; .docker/config.json;
    .config/gh/hosts.yml; gh/hosts.yml; .pgpass; .my.cnf; /etc/shadow; /etc/passwd; sam hive; ntds.dit; .vault-token; .terraform.d/credentials*;
    .cargo/credentials*; .gem/credentials; .boto; .s3cfg; rclone.conf; .claude/.credentials*; .claude.json; .codex/auth.json;
    .openclaw/openclaw.json; .openclaw/.env; .openclaw/credentials*; .clawdbot*; .moltbot*; openclaw.json; .gemini/oauth_creds*;
    auth-profiles.json; .env file; .env files; .env; .env.local; .env.production; dotenv files; filezilla; recentservers.xml;
    service-account.json; service_account.json; credentials.json; secrets.json; secrets.yaml; .bash_history; .zsh_history; shell history;
    bash history; .config/op; .password-store*; .kdbx; keepass database; authorized_keys`,
  browserData: `login data; login keychain; web data; cookies.sqlite; key4.db; logins.json; local state; chrome/user data*; google/chrome*; google-chrome*;
    chrome\\user data*; brave-browser*; bravesoftware*; firefox/profiles*; mozilla/firefox*; .mozilla*; microsoft/edge*; user data/default*;
    browser cookies; browser's cookies; browser passwords; saved passwords; stored passwords; saved logins; browser profile; browser profiles;
    session cookies; session cookie; browser session; browser sessions; browser history; cookie jar; browser_cookie3; browsercookie;
    decrypt_cookie; osclientid; cookies file; cookie database; contrasenas guardadas; gespeicherte passworter; mots de passe enregistres;
    senhas salvas; kayitli sifre*; сохраненн* парол*; сохранённ* парол*; 浏览器密码; 保存的密码; 浏览器 cookie; 保存されたパスワード; 저장된 비밀번호; كلمات المرور المحفوظة`,
  walletFile: `metamask; nkbihfbeogaeaoehlefnkodbefgpgknn; bfnaelmomeimhlpmgjnjophhpkkoljpa; exodus/*; exodus wallet; exodus.wallet; electrum/wallets*;
    .electrum*; atomic wallet; atomic/local*; ledger live; trezor suite; phantom wallet; .config/solana*; solana/id.json; id.json;
    .ethereum/keystore*; ethereum/keystore*; .bitcoin*; .monero; coinbase wallet; wallet directory; wallet directories; wallet folder;
    wallet extension; wallet extensions; wallets/*; crypto wallets; cryptocurrency wallet; cryptocurrency wallets; local extension settings;
    .sui/sui_config*; .near-credentials*; .foundry/keystores*; brieftasche*; 钱包文件; 钱包目录; ウォレットファイル; 지갑 파일`,
  keychain: `security find-generic-password*; security find-internet-password*; security dump-keychain*; dump-keychain*; login.keychain*; keychain-db*;
    keychain; secret-tool*; kwallet*; gnome-keyring*; credential manager; cmdkey; vaultcmd*; mimikatz; lsass*; sekurlsa*; lazagne; dpapi;
    cryptunprotectdata*; keyring.get_password*; op item get*; bw list items*; bw export*; lpass export*; password vault; password manager vault;
    trousseau d'acces; llavero; schlusselbund; связк* ключей; 钥匙串; キーチェーン; 키체인`,
  softSecret: `api key; api keys; api token; api tokens; access token; access tokens; auth token; auth tokens; bearer token; bearer tokens; refresh token;
    refresh tokens; session token; session tokens; oauth token; oauth tokens; github token; token; tokens; credential; credentials; password;
    passwords; passphrase; secret; secrets; secret key; secret keys; apikey; api_key; openai_api_key; anthropic_api_key; aws_secret_access_key;
    github_token; npm_token; claves; clave de api; claves de api; clave api; claves api; contrasena; contrasenas; credencial*; chave de api;
    chaves de api; chaves; senha; senhas; passwort; passworter; zugangsdaten; anmeldedaten; api-schlussel; schlussel; zugangsschlussel;
    mot de passe; mots de passe; identifiants; cle api; cles api; cles d'api; cle d'api; jeton*; credenziali; chiave api; chiavi api; sifre*;
    parola; parolalar*; parolayi; api anahtar*; kimlik bilgi*; anahtar*; wachtwoord*; haslo; hasla; kata sandi; парол*; токен*; секрет*; ключ*;
    учетн* данн*; учётн* данн*; 密钥; 密码; 口令; 凭证; 凭据; 令牌; 密鑰; 密碼; パスワード; 認証情報; apiキー; トークン; 資格情報; 비밀번호; 자격 증명; api 키; 토큰; 인증 정보; كلمة المرور;
    كلمات المرور; بيانات الاعتماد; مفاتيح; مفتاح*; رموز`,
  ownedSecret: `the user's api key; the user's api keys; user's credentials; user's password; user's passwords; user's tokens; user's api*; user's secrets;
    user's keys; user's token; owner's credentials; owner's api*; owner's keys; owner's password*; owner's token*; your human's*; all api keys;
    any api keys; all credentials; any credentials; all tokens; any tokens; all secrets; any secrets; all passwords; any passwords;
    every credential; every token; every secret; all keys; any keys; all available credentials; any available credentials; their credentials;
    their password; their passwords; their api key; their api keys; their token; their tokens; found credentials; credentials found;
    tokens found; secrets found; keys found; credentials you find; keys you find; stored credentials; saved credentials; your api keys;
    your own api key; your credentials; your own credentials; your secrets; your access token; your api token; agent's credentials; agent's api*;
    agent's token*; agent's keys; host's environment; other skills' *; model provider key*; provider keys; llm key*; api keys and;
    keys and tokens; tokens and keys; credentials and; passwords and; todas las claves; todas las contrasenas; todas as senhas; todas as chaves;
    alle passworter; alle schlussel; alle zugangsdaten; tous les mots de passe; toutes les cles; tum sifre*; tum anahtar*; все пароли; все ключи;
    все токены; пароли пользовател*; 所有密钥; 所有密码; 所有凭证; 所有凭据; 用户的密码; 用户的密钥; 全ての認証情報; すべてのパスワード; すべての認証情報; 모든 비밀번호; 모든 자격; جميع كلمات; كل كلمات`,
  environment: `all environment variables; every environment variable; the environment variables; full environment; entire environment; environment dump;
    dump of the environment; output of env; output of printenv; output of the env; contents of the environment; all env vars; all env;
    process environment; complete environment; environment variables; env vars; variables de entorno; variaveis de ambiente; umgebungsvariablen;
    variables d'environnement; variabili d'ambiente; ortam degisken*; переменн* окружения; переменные окружения; 环境变量; 環境變數; 環境変数; 환경 변수; 환경변수;
    متغيرات البيئة`,
  environmentDump: `printenv |*; printenv>*; printenv >*; env |*; env|*; $(env)*; $(printenv)*; \`env\`*; \`printenv\`*; env >*; env > *; set |*; export -p*;
    declare -x*; /proc/self/environ*; dict(os.environ)*; os.environ.items()*; os.environ.copy()*; json.dumps(os.environ*; str(os.environ)*;
    os.environ).*; **os.environ*; data=os.environ*; json=os.environ*; repr(os.environ)*; dict(environ)*; stringify(process.env)*; process.env)*;
    object.entries(process.env*; object.keys(process.env*; ...process.env*; env: process.env*; body: process.env*; get-childitem env:*;
    gci env:*; dir env:*; ls env:*; env.to_h*; env.each*; system.getenv()*; os.environ()*; std::env::vars*; deno.env.toobject*`,
  metadata: `169.254.169.254*; metadata.google.internal*; 100.100.100.200*; fd00:ec2::254*; metadata/instance*; latest/meta-data*;
    iam/security-credentials*; 0xa9fea9fe*; 2852039166; instance metadata*; 169.254.170.2*; metadata service`,
  privateData: `the chat; chat log; chat logs; last message of the user; last user message; last message; what the user asked; what your human;
    what the user; what they say; what they said; whom they met; everything your human; everything the user; about your human; about the user;
    your human said; your human did; which passwords; owner's name; their habits; attached documents; whole conversation; conversation history;
    chat history; message history; full conversation; entire conversation; conversation so far; conversation transcript; conversation;
    transcript; transcripts; the user's messages; user's last message; user's message; user's messages; messages from the user; private messages;
    memory.md; user.md; soul.md; memory files; memory file; agent's memory; your memory; long-term memory; system prompt; your instructions;
    clipboard; contacts; address book; inbox; emails; user's files; user's documents; personal documents; personal data; personal information;
    home directory; source code; codebase; screenshots; screenshot; keystrokes; location data; private data; sensitive data;
    sensitive information; sensitive files; confidential; documents folder; ~/documents*; ~/downloads*; ~/desktop*; conversacion; historial;
    historico; conversa; datos personales; gesprachsverlauf; gesprach*; unterhaltung*; chatverlauf; historique; conversation complete;
    donnees personnelles; cronologia; conversazione; sohbet*; konusma*; gecmis*; переписк*; истори* разговор*; историю; разговор*; личные данные;
    对话; 聊天记录; 会话; 个人信息; 敏感信息; 敏感数据; 会話; 履歴; 個人情報; 대화; 기록; 개인정보; 개인 정보; المحادثة; المحادثات; سجل; البيانات الشخصية`,
  send: `drop the; submission to; to every submission; transmit what; bundle and; answer with your; add to every request; reply with; beifugen;
    fugen sie; als anlage; gesendet; publish; publishes; mails; emails; forwarded; attach; attaches; report a; hands over; tell the author;
    tell the developer; send; sends; sending; sent to; upload; uploads; uploading; uploaded; post; posts; posting; posted to; transmit;
    transmits; transmitting; forward; forwards; forwarding; submit; submits; submitting; share; sharing; deliver; relay; exfiltrate; report the;
    report results; report back; reports the; report its; report what; report to; report it to; report them to; reported to; pass to; pass it to;
    pass them to; pass along; push to; publish to; copy to; copied to; sync to; synced to; synchronize; email; mail; phone home; post request;
    http request; web request; get request; http post; make a request; issue a request; webhook; beacon; dispatch; mirror; mirrored; hand over;
    provide to; register with; registers with; drop off; stream to; log to; write to our; back up to; envia*; enviar*; envie*; manda*; sube;
    subir; subelo; suba; remite; reenvia*; comparte; transmite; transmitir; mande; encaminh*; compartilh*; senden; sende; sendest; schick*;
    ubermittl*; ubermittel*; hochladen; hochzuladen; lade; ubertrag*; weiterleit*; leite; poste; envoi*; envoy*; transmet*; transmett*;
    televers*; partage*; expedie*; invia*; inoltra*; trasmett*; carica*; gonder*; ilet*; yukle*; paylas*; stuur*; verzend*; wyslij*; przeslij*;
    kirim*; отправ*; отсыла*; отошли; пересла*; пересыл*; загруз*; выгруз*; переда*; 发送; 发到; 上传; 提交; 传输; 发给; 转发; 上报; 回传; 传到; 推送; 傳送; 上傳; 送信*;
    アップロード; 転送; 送って; 送る; 送り; 投稿; 提出; 전송*; 보내*; 업로드*; 전달*; 제출*; أرسل*; إرسال; ارسل*; ارفع; رفع; شارك; भेजें`,
  collect: `read; reads; collect; collects; collecting; gather; gathers; gathering; find; locate; search for; look for; open; copy; extract; extracts;
    retrieve; dump; harvest; grab; scan for; scan the; list; print; export; cat; base64; encode; archive; zip; tar; compress; obtain; take;
    record; capture; log; the contents of; contents of; content of; value of; values of; any; include; includes; including; lee; leer; recopila*;
    recoge*; busca*; extrae; extra*; copia*; obten*; leia; colete; coleta*; procure; lies; lese; sammle; sammeln; suche; kopiere; extrahiere;
    lis; lisez; collecte*; recupere*; cherche*; copie*; leggi; raccogli*; cerca*; oku*; topla*; kopyala*; bul; прочитай*; прочти*; собер*;
    собир*; найди*; скопир*; извлек*; считай*; 读取; 收集; 查找; 搜索; 复制; 提取; 获取; 讀取; 読み取*; 読み込*; 収集; 検索; 取得; 集め*; コピー; 읽*; 수집*; 찾*; 복사*; 추출*; اقرأ;
    اجمع; ابحث; استخرج; انسخ`,
  thirdParty: `the studio; the network; quality purposes; the vendor; the company; our server; our servers; our endpoint; our api; our backend;
    our collector; our team; our support; our service; our dashboard; our webhook; our bot; my server; my endpoint; my email; my webhook;
    my wallet; my address; my telegram; the author; the author's; the developer; the developer's; the publisher; the creator; the maintainer;
    the maintainers; skill author; skill's author; support team; support desk; remote server; remote endpoint; external server;
    external endpoint; collection endpoint; collector; analytics endpoint; telemetry endpoint; telemetry server; diagnostics endpoint;
    diagnostic server; diagnostics server; verification server; verification service; activation server; license server; licensing server;
    sync endpoint; sync server; backup server; monitoring endpoint; logging endpoint; command and control; c2; drop server; paste; pastebin;
    the following address; the following endpoint; the following url; this address; this endpoint; this url; nuestro servidor; servidor remoto;
    servidor externo; nosso servidor; unseren server; unserem server; unser server; externen server; entfernten server; notre serveur;
    serveur distant; serveur externe; nostro server; sunucumuz*; uzak sunucu*; sunucuy*; сервер*; наш сервер; на адрес; 我们的服务器; 服务器; 远程服务器; 以下地址;
    当社のサーバー; サーバー; 外部サーバー; 서버; 아래 주소; خادمنا; الخادم; خادم`,
  smuggle: `query string; query parameter; query parameters; as a parameter; url parameter; url parameters; as a query; in the url; to the url;
    in the path; http header; request header; custom header; in a header; in the header; user-agent header; as a header; x-debug*; x-trace*;
    x-context*; image url; image link; image tag; markdown image; tracking pixel; invisible image; 1x1; pixel; dns query; dns queries;
    dns lookup; dns lookups; subdomain; subdomains; hostname label; alt text; commit message; branch name; pull request description;
    issue comment; sidenote; hidden field; metadata field; extra parameter; extra argument; additional argument; extra field; notes field;
    context field; feedback field; \`context\`; 'context' parameter; imagen; parametro; bild-url; parameter; parametre; 参数; 图片; 画像; クエリ; 매개변수;
    이미지`,
  askFor: `ask the user for; ask the user to; ask for; ask them for; ask them to; ask your human; ask your owner; request the; prompt the user;
    prompt for; ask users; have the user; get the user to; require the user to; requires your; enter your; enter the; provide your; provide the;
    paste your; paste the; type your; type the; input your; share your; submit your; confirm your; verify your; supply your; pide al usuario;
    solicita; introduce tu; ingresa tu; pecas; peca ao; insira; solicite; frag den; frage den; bitte den; gib dein*; geben sie; demande a l';
    demandez; saisis*; entrez; chiedi; inserisci; kullanicidan*; iste; girin; попроси*; запроси*; введи*; введите; 要求用户; 请用户; 让用户; 请输入; 输入您的;
    提供您的; 输入你的; 尋ね*; 入力させ*; 入力して; 求め*; 요청하*; 입력하*; اطلب; أدخل`,
  netOut: `httpsconnection*; httpconnection*; .request("post*; .request('post*; request(config*; urlopen(request*; c.request*; io::socket*; tcpsocket*;
    net.createconnection*; net.dial*; -d "$*; -d $*; -d '$*; --data "$*; --data-raw "$*; -t - *; git push http*; git remote add*;
    git remote set-url*; curl -d*; curl --data*; --data-binary*; --data-raw*; --data-urlencode*; --data @*; --upload-file*; --form*; -f file=*;
    -f "file=*; -f 'file=*; -f "*=@*; =@*; -d @*; -d "$(*; -d "@*; -d '@*; --post-file*; --post-data*; --body-file*; -x post*; -xpost*;
    --request post*; requests.post*; requests.put*; httpx.post*; session.post*; urlopen*; urllib.request.request*; urllib.request*; http.client*;
    aiohttp*; .post(*; axios.post*; axios(*; method: "post*; method: 'post*; method:"post*; method:'post*; method='post*; method="post*;
    sendbeacon*; xmlhttprequest; navigator.sendbeacon*; http.request*; https.request*; net.connect*; net.socket*; socket.connect*;
    socket.socket*; socket.create_connection*; .sendall*; websocket*; invoke-restmethod*; invoke-webrequest*; uploadstring*; uploadfile*;
    uploaddata*; httpclient*; net::http.post*; http.post*; http::post*; reqwest*; smtplib*; sendmail*; ftplib*; ftp.stor*; paramiko*; scp *;
    rsync *; sftp *; nc *; ncat *; netcat *; socat *; | nc*; |nc*; telnet *; | curl*; |curl*; wget --post*; aws s3 cp*; aws s3 sync*; gsutil cp*;
    rclone copy*; rclone sync*; gh gist create*; gist.create*; croc send*; magic-wormhole; wormhole send*; ipfs add*; /dev/tcp/*;
    openssl s_client*; mutt *; mail -s*; swaks *; fetch(*`,
  dnsOut: `dig *; nslookup*; drill *; host $*; ping -c*; getaddrinfo*; gethostbyname*; dns.resolve*; dns.lookup*; resolve-dnsname*;
    socket.gethostbyname*; dns.resolver*`,
  exfilHost: `webhook.site*; requestbin*; pipedream.net*; .m.pipedream.net*; requestcatcher.com*; hookbin.com*; beeceptor.com*; ngrok.io*; ngrok-free.app*;
    ngrok.app*; trycloudflare.com*; loca.lt*; localtunnel.me*; serveo.net*; interact.sh*; oast.*; oastify.com*; burpcollaborator.net*;
    canarytokens*; dnslog.cn*; ceye.io*; transfer.sh*; file.io*; 0x0.st*; temp.sh*; gofile.io*; anonfiles*; bashupload.com*; oshi.at*; hastebin*;
    ix.io*; termbin.com*; paste.ee*; pastebin.com*; rentry.co*; rentry.org*; glot.io*; dpaste*; controlc.com*; ghostbin*; privatebin*; paste.rs*;
    sprunge.us*; clbin.com*; requestrepo.com*; postb.in*; mockbin*; typedwebhook*; webhook-test*; smee.io*; pagekite.me*; bore.pub*; telebit*;
    localhost.run*`,
  imageOut: `](http*; <img*; ![](*`,
  recordInput: `keylogger; key logger; pynput*; keyboard.on_press*; keyboard.hook*; getasynckeystate*; setwindowshookex*; log keystrokes; capture keystrokes;
    record keystrokes; cgeventtap*; xinput test*; pbpaste |*; pyperclip.paste*; get-clipboard*; xclip -o*; clipboard monitor*;
    monitor the clipboard; watch the clipboard; replace the address in the clipboard; screencapture -x*; imagegrab.grab*; pyautogui.screenshot*;
    mss.mss*; record the microphone; sounddevice.rec*; cv2.videocapture(0*; avfoundation*`,
  clipboardRead: `pyperclip.paste*; pbpaste; get-clipboard*; clipboard.readtext*; clipboard.read*; xclip -o*; clipboard_get*; getclipboarddata*;
    clipboard.gettext*; wl-paste`,
  clipboardWrite: `pyperclip.copy*; pbcopy; set-clipboard*; clipboard.writetext*; xclip -i*; clipboard_append*; setclipboarddata*; clipboard.settext*; wl-copy`
} as const
