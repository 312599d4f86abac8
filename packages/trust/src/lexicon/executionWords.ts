/** Words of commands and downloads, by concept. The form is that of `injectionWords`. */
export const executionWords = {
  fetcher: `tourl()*; .openstream(*; java.net.*; webrequest.create*; urlsession*; await fetch*; io::socket*; urlopen(*; https.get(*; createconnection*; xmlhttp*; mshta *; .get("http*; .get('http*; curl; wget; iwr; irm;
    invoke-webrequest; invoke-restmethod; downloadstring*; downloadfile*; net.webclient*; start-bitstransfer; bitsadmin; certutil; aria2c;
    fetch -o; lwp-download; httpie; requests.get*; urlopen*; urlretrieve*; httpx.get*; urllib.request*; http.get*; https.get*; fetch(*;
    axios.get*; axios(*; got(*; node-fetch; open-uri; net::http*; file_get_contents*; lynx -source; ftp -o; gh gist view; nc -l; ftp://*`,
  shellWord: `mshta; press win+r; win+r; windows + r; run dialog; sh -c; bash -c; zsh -c; sh -s; bash -s; bash; zsh; eval; source; iex; invoke-expression;
    exec(*; eval(*; os.system*; subprocess*; child_process*; execsync*; spawn(*; popen*; shell=true; function(*; vm.runin*; compile(*; runpy*;
    importlib*; importlib.util*; require(*; import(*; osascript; do shell script; powershell; pwsh; cmd /c; cmd.exe; start-process; mshta;
    rundll32; regsvr32; wscript; cscript; instance_eval*; system(*; shell_exec*; passthru*; proc_open*; new function*; globalthis.eval*;
    exec.command*; runtime.getruntime*`,
  evalCall: `("data:text/javascript*; execsync(*; os.system(*; child_process').exec*; child_process").exec*; perl -e; node -e; python3 -c; python -c;
    ruby -e; php -r; eval(*; exec(*; new function(*; function(atob*; vm.runin*; vm.script*; instance_eval*; compile(*; iex; invoke-expression;
    __import__*; marshal.loads*; pickle.loads*; importlib.util*; runpy*; module._compile*; (0, eval)*; globalthis['eval*; window['eval*;
    getattr(__builtins__*; builtins.exec*; setinterval("*; scriptblock]::create*`,
  decodeCall: `base64 -d*; base64 --decode*; base64 -di*; openssl base64 -d*; openssl enc -d*; b64decode*; base64.decode*; atob(*; 'base64')*; "base64")*;
    frombase64string*; base64_decode*; xxd -r*; unhexlify*; fromhex*; 'hex')*; "hex")*; bytes.fromhex*; codecs.decode*; rot13*; rot_13*;
    tr 'a-za-z'*; tr a-za-z*; zlib.decompress*; gzip.decompress*; gunzip -c*; lzma.decompress*; inflatesync*; marshal.loads*;
    string.fromcharcode*; chr(*; printf '\\x*; printf "\\x*; echo -e "\\x*; echo -e '\\x*; | rev*; [::-1]*; .reverse().join*; strrev*;
    charcodeat*; ^ 0x*; certutil -decode*; -encodedcommand*; powershell -enc*; powershell -e *; -enc *; urlsafe_b64decode*; uudecode*;
    b32decode*; base32 -d*`,
  encodedCommand: `mshta http*; certutil -urlcache*; bitsadmin /transfer*; /i:http*; rundll32 http*; mshta.exe http*; -encodedcommand*; powershell -enc*;
    pwsh -enc*; powershell.exe -enc*; -e jab*; -enc jab*; -w hidden*; -windowstyle hidden*`,
  makeRunnable: `chmod +x*; chmod 755*; chmod a+x*; chmod u+x*; chmod 777*; chmod 0755*; 0o755*; start-process*; invoke-item*; open -a*; xdg-open*; start /b*;
    nohup*; ./*; dpkg -i*; rpm -i*; installer -pkg*; msiexec*; hdiutil attach*; sudo sh*; sudo bash*; bash /tmp*; sh /tmp*; python /tmp*;
    python3 /tmp*; node /tmp*; /tmp/*; %temp%*; $env:temp*`,
  saveFile: `-qo *; -slo *; -fslo *; -fsslo; -lso *; -o *; -so *; -lo *; -sslo *; -fsslo *; -outfile*; --output*; --output-document*; -o/*; >/tmp*;
    > /tmp*; urlretrieve*; writefile*; wb'*; wb"*; downloadfile*; --remote-name*; -lo; curl -o*; wget *`,
  quarantineOff: `xattr -c*; xattr -d*; xattr -r*; com.apple.quarantine; spctl --master-disable*; spctl --add*; spctl --global-disable;
    disablerealtimemonitoring*; add-mppreference*; set-mppreference*; -exclusionpath*; exclusionpath*; disable windows defender;
    disable defender; turn off windows defender; disable antivirus; disable your antivirus; disable the antivirus; turn off antivirus;
    turn off your antivirus; turn off the antivirus; antivirus exclusion; disable gatekeeper; turn off gatekeeper; bypass gatekeeper;
    bypass smartscreen; ignore the smartscreen; disable smartscreen; click run anyway; "run anyway"; run anyway; open anyway; disable sip;
    csrutil disable*; setenforce 0*; ufw disable*; systemctl stop apparmor; disable firewall; disable the firewall; turn off the firewall;
    ignore the warning; ignore any warning; ignore warnings; ignore security warnings; dismiss the warning; dismiss any warning;
    netsh advfirewall set*; desactiva el antivirus; desactivar el antivirus; desative o antivirus; deaktiviere den virenscanner;
    antivirus deaktivieren; desactivez votre antivirus; desactive l'antivirus; antivirusu kapat*; отключи* антивирус; отключите антивирус; 关闭杀毒*;
    禁用杀毒*; 关闭防火墙; ウイルス対策を無効*; 백신을 끄*; عطل مضاد`,
  reverseShell: `/dev/tcp/*; /dev/udp/*; bash -i >&*; bash -i >*; sh -i >&*; nc -e*; nc -ne*; ncat -e*; ncat --exec*; nc -c sh*; nc -c bash*; mkfifo /tmp*;
    pty.spawn*; os.dup2*; socat exec*; exec:'bash*; exec:/bin*; exec:"bash*; tcpclient(*; -e /bin/sh*; -e /bin/bash*;
    child_process").exec('/bin/sh*; meterpreter; msfvenom; reverse shell; reverse_tcp*; chisel client*; ssh -r *; cloudflared tunnel --url*;
    tmate -f*; ngrok tcp*; fsockopen*; inet_aton*; sh -i; cobalt strike; sliver implant`,
  archivePassword: `with the code; the code \`*; unpack it with; password-protected; password protected; archive password; zip password; unzip -p*; 7z x -p*;
    7za x -p*; 7z e -p*; unrar x -p*; unrar -p*; extract using pass*; extract with password; extract with the password; extraction password;
    pass: *; password: *; pwd: *; the password is; password is; using the password; with password; use password; use the password;
    enter the password; decrypt with; zip -p*; protegido con contrasena; contrasena del archivo; contrasena:*; la contrasena es; passwort:*;
    passwort lautet; mit dem passwort; mot de passe:*; mot de passe :*; mot de passe est; le mot de passe; senha:*; a senha e; sifre:*; sifresi*;
    пароль:*; пароль -*; пароль —*; пароль архива; с паролем; 解压密码*; 密码:*; 密码：*; 解凍パスワード*; パスワード:*; パスワード：*; 압축 비밀번호*; 비밀번호:*; كلمة المرور:*;
    setpassword*; pwd=b'*; pwd=b"*; extractall(pwd*`,
  archiveWord: `encrypted archive; unpack; unpacks; extract; zip; .zip*; .7z*; .rar*; archive; archives; tarball; installer; archivo comprimido; archiv;
    archive protegee; arsiv*; архив*; 压缩包; 压缩文件; 解压*; アーカイブ; 圧縮ファイル; 압축 파일; 압축; أرشيف; الملف المضغوط; unzip; 7z; unrar; extractall*`,
  executableFile: `.exe; .msi; .dmg; .pkg; .scr; .bat; .cmd; .ps1; .vbs; .appimage; .deb; .rpm; .apk; .jar; .command; .hta; .lnk; .iso; .run; setup.exe*;
    install.exe*; .app.zip*`,
  prerequisite: `depends on; will not work without; when it is absent; if absent; if it is absent; first step; needs the; it is absent; requires the;
    not a robot; prerequisite; prerequisites; pre-requisite; requirement; requirements; required; requires; before you begin; before using;
    before you use; before first use; before running; before proceeding; before continuing; must be installed; must first; first, install;
    first install; needs to be installed; need to install; must install; you must download; you need to download; will not work without;
    won't work without; does not work without; doesn't work without; will not function without; won't function without; cannot work without;
    can't work without; cannot function; will fail without; to activate; activate the; required component; required dependency; required utility;
    required driver; mandatory; must have; ensure you have; if not installed; is missing; if it is missing; if missing; not found; requisitos;
    requisito previo; requisitos previos; antes de usar; antes de empezar; es necesario; obligatorio; pre-requisito*; antes de comecar;
    e necessario; obrigatorio; voraussetzung*; vor der nutzung; vor der verwendung; vor der ersten; erforderlich; zwingend; benotigt; prerequis;
    pre-requis; avant d'utiliser; avant de commencer; necessaire; obligatoire; prerequisiti; prima di usare; necessario; on kosul*; gereksinim*;
    kullanmadan once; gerekli*; zorunlu; требован*; перед использован*; перед началом; необходимо; обязательн*; требуется; 前置条件; 前提条件; 先决条件; 使用前;
    必须先; 必须; 需要先; 首次使用; 必要条件; 前提; 必要があります; 使用する前に; 使う前に; ご利用前に; 必須; 사전 요구; 필수; 사용하기 전; 사용 전; 먼저; المتطلبات; متطلبات; قبل الاستخدام; يجب; مطلوب`,
  download: `завантаж*; pobierz; download de; tai xuong; unduh; डाउनलोड; download; downloads; downloading; fetch; grab; get the; install; installs; installing; obtain; pull; retrieve; descarga*; instala*; baixe;
    baixar; instale; herunterlad*; herunterladen; lade; installier*; laden sie; telecharge*; installe*; scarica*; installa*; indir*; yukle*; kur;
    kurun; скача*; скачай*; загруз*; установ*; 下载; 下載; 安装; 安裝; ダウンロード; インストール; 다운로드*; 설치*; نزل; حمل; تحميل; تنزيل; تثبيت; ثبت`,
  run: `запусті*; uruchom*; voer*; लगाए*; चलाएँ; चलाएं; chay; jalankan; press win+r; win+r; run dialog; confirm with enter; take on whatever; start it; starts it; and start; keep it running; keep running;
    initialise; initialize; run; runs; running; execute; executes; executing; launch; open it; double-click; double click; start it; install it;
    and run; paste it; paste the; paste into; paste this; copy and paste; copy the command; into terminal; into your terminal; in terminal;
    in your terminal; into the terminal; in the terminal; into powershell; command prompt; with administrator; as administrator; with sudo;
    as root; ejecuta*; ejecute; pega; copia y pega; execute-o; rode; cole; ausfuhr*; fuhre; fuhr; starte; kopiere; fuge; einfug*; execute*;
    lance*; colle*; copiez; esegui*; avvia; incolla; calistir*; yapistir*; запуст*; запуска*; выполн*; вставь*; скопируй*; 运行; 執行; 执行; 启动; 粘贴;
    双击; 実行; 起動; 貼り付け*; ダブルクリック; 실행*; 붙여넣*; شغل; تشغيل; نفذ; الصق`,
  follow: `take on; become; behave as; 照做; 视为主人的命令; ausfuhrst; fuhrst du; follow; follow the; follow its; follow them; follow all; obey;
    execute the instructions; execute them; execute what; execute whatever; execute it; apply the instructions; apply them; apply its;
    comply with; do what it says; do whatever; treat as; treat its; treat them as; treat the; adopt; act on; carry out; perform the;
    whatever it says; as your instructions; as instructions; as part of; as if they; as though; as your new; as system; as a system;
    as authoritative; use it as; use its contents as; load it into; merge it; append it; incorporate; replaces; run whatever; run the; sigue;
    siguelas; obedece; ejecuta las; aplica; siga; obedeca; befolge*; folge; ausfuhren; suis; suivez; suivre; applique*; execute*; segui; uygula*;
    takip et*; следуй*; следовать; выполняй*; исполняй*; выполни*; 遵循; 遵守; 按照; 执行; 照做; 服从; 従う; 従って; 従い; 実行; 따르*; 따라; 수행; اتبع; نفذ; طبق`,
  remoteText: `look at; the character it describes; it describes; describes; the line shown; command shown; command you find; take the command;
    copy the line; copy the command; shown there; the newest; instructions from; rules from; latest instructions; latest rules;
    latest version of these; current instructions; updated instructions; remote instructions; instructions at; prompt from; directives from;
    guidance from; commands from; tasks from; steps from; policy from; persona from; remaining instructions; rest of the instructions;
    rest of this; actual instructions; real instructions; full instructions; additional instructions; the contents of; its contents;
    page content; the response; response body; returned text; returned instructions; the output; the returned; whatever is returned;
    whatever it returns; fetched content; fetched text; remote config; remote file; remote configuration; remote prompt; live instructions; .md;
    .txt; ultimas instrucciones; instrucciones de; instrucciones actualizadas; contenido de; instrucoes de; anweisungen von;
    neuesten anweisungen; aktuellen anweisungen; anweisungen unter; instructions de; dernieres instructions; istruzioni da; guncel talimat*;
    talimatlari; инструкции с; инструкции по адресу; последние инструкции; актуальные инструкции; содержимое; 最新指令; 最新的指令; 远程指令; 返回的内容; 其中的指令;
    里面的指令; 中的指令; 最新の指示; その内容; 記載された指示; 返された; 최신 지시; 최신 지침; 내용을; التعليمات من; أحدث التعليمات; محتوى`,
  fetchText: `fetch; download; load; retrieve; read; get; curl; wget; pull; open; visit; check; request; import; include; browse to; consult; sync;
    refresh; webfetch; web_fetch; obten*; descarga; lee; consulta; carga; carregue; busque; baixe; obtenha; lade; rufe; abrufen; hole; lies;
    recupere*; charge*; telecharge*; consulte*; scarica; carica; leggi; cek; getir*; oku; загрузи*; загружай*; получи*; скачай*; прочитай*;
    открой*; 获取; 读取; 下载; 访问; 拉取; 加载; 取得; 読み込*; アクセス; ダウンロード; 가져오*; 가져와; 읽*; 다운로드*; 불러오*; اجلب; حمل; اقرأ; افتح`,
  packageFromUrl: `pip install git+*; pip3 install git+*; pip install http*; pip3 install http*; pip install --index-url*; pip install -i http*;
    --extra-index-url*; --index-url http*; npm install http*; npm i http*; npm install -g http*; npm i -g http*; npx http*; npx --yes http*;
    npx -y http*; npm install git+*; npm install github:*; --registry http*; --registry=http*; uv pip install git+*; uvx --from git+*;
    gem install --source*; go install *; cargo install --git*; yarn add http*; pnpm add http*; pnpm dlx http*; bun add http*; deno run http*;
    deno run -a http*; deno run --allow-all http*; uv run http*; pipx run --spec http*; pipx install git+*; brew install --cask http*;
    brew tap *`,
  installHook: `"preinstall"*; "postinstall"*; "install":*; "prepare":*; "prepublish"*; cmdclass*; setup_requires; build-backend*; egg_info; install.run*`,
  miner: `xmrig*; stratum+tcp*; stratum+ssl*; minerd; cpuminer*; coinhive*; cryptonight; randomx; --donate-level*; nicehash*; t-rex -a*; monero mining;
    mine monero; crypto miner; pool.minexmr*; nanopool*; supportxmr*`,
  destroy: `rm -rf / *; rm -rf /"*; rm -rf /etc*; rm -rf /home*; rm -rf /usr*; rm -rf ~*; rm -rf $home*; rm -rf "$home*; rm -fr /*; rm -fr ~*; --no-preserve-root*; mkfs.*; dd if=/dev/zero of=/dev*;
    dd if=/dev/urandom of=/dev*; :(){ :|:*; shutil.rmtree(os.path.expanduser*; shutil.rmtree(path.home*; format c:*; del /f /s /q c:*;
    cipher /w*; vssadmin delete shadows*; wbadmin delete*; bcdedit /set*; diskpart; wipefs*; find / -delete*; find ~ -delete*;
    chmod -r 777 /*; history -c*; unset histfile*; >/var/log*; wevtutil cl*; clear-eventlog*; srm -*; rd /s /q c:*;
    remove-item -recurse -force c:*; remove-item -recurse -force $home*; remove-item $home*; encrypt all files; encrypt the user's files;
    encrypt every file; ransom note; ransomware note; delete all files; delete the user's files; delete all of the user's; wipe the disk;
    wipe the home; drop database; drop all tables`,
  hiddenRun: `>/dev/null 2>&1 &*; > /dev/null 2>&1 &*; &>/dev/null &*; & disown*; nohup; setsid; start /b*; -windowstyle hidden*; -w hidden*;
    detached: true*; detached:true*; stdio: 'ignore'*; stdio: "ignore"*; creationflags=*; create_no_window; start_new_session=true*; .unref()*;
    devnull*; 2>/dev/null || true*`,
  privileged: `sudo; --privileged; -v /:/*; -v /var/run/docker.sock*; --pid=host*; --net=host*; cap_add*; nopasswd*; setuid; chmod 4755*; chmod u+s*;
    runas /user*; -verb runas*; with administrator privileges*; --dangerously-skip-permissions; --dangerously*; --no-sandbox; --yolo;
    bypasspermissions; dangerouslydisablesandbox; "allow": ["bash*; bash(*:*)*; danger-full-access; approval_policy*; --full-auto; --allow-all;
    --trust-all-tools; autorun; defaultmode*; skipdangerousmodepermissionprompt; enableallprojectmcpservers*`,
  sandboxOff: `--dangerously-skip-permissions; --dangerously-bypass*; --yolo; bypasspermissions; dangerouslydisablesandbox*; danger-full-access;
    approval_policy = "never*; approval_policy="never*; --ask-for-approval never*; --trust-all-tools; "chat.tools.autoapprove"*;
    tools.autoapprove*; autoapprove": true*; skipdangerousmodepermissionprompt*; enableallprojectmcpservers*; "exec.ask": "off*; exec.approvals*;
    tools.exec.ask*; sandbox.mode*; sandbox": false*; allowunsandboxed*; "*:*"*; permissions.allow*; "defaultmode": "bypass*; auto_run": true*;
    yolo mode; yolo_mode*`,
  typoPackage: `pip install; pip3 install; npm install; npm i; npx; uvx; pipx install; gem install; cargo install; yarn add; pnpm add; brew install`,
  gitHookRun: `core.hookspath*; core.fsmonitor*; core.sshcommand*; core.editor*; init.templatedir*; url.*.insteadof*; .insteadof*; runon*; "folderopen"*;
    alias.*= !*; filter.*.clean*`,
  turnOff: `вимкн*; wylacz*; schakel; matikan; tat; बंद; disable; disables; disabling; turn off; turns off; turning off; switch off; shut off; deactivate; pause; suspend; stop; close; exclude;
    whitelist; add an exception; add an exclusion; desactiva*; desative*; desativ*; deaktivier*; ausschalt*; abschalt*; schalte; desactiv*;
    disattiva*; kapat*; devre disi; отключ*; выключ*; 关闭; 禁用; 停用; 退出; 無効; オフ; 끄*; 비활성화*; عطل; تعطيل; أوقف`,
  protection: `антивірус*; antywirus*; virusscanner; एंटीवायरस; antivirus; anti-virus; virus scanner; virenscanner; virenschutz; windows defender; microsoft defender; defender; gatekeeper; smartscreen;
    real-time protection; realtime protection; security software; endpoint protection; system integrity protection; firewall; cortafuegos;
    pare-feu; антивирус*; защитник*; брандмауэр*; 杀毒软件; 杀毒; 防火墙; 安全软件; ウイルス対策; セキュリティソフト; 백신; 방화벽; مضاد الفيروسات; الحماية`
} as const
