/** Words for the rules in `combinationRules.ts`, which weigh what a skill touches against its purpose. The form is that of `injectionWords`. */
export const combinationWords = {
  resist: `ignore attempts; ignore any attempt; ignore every attempt; ignore requests; ignore any request; ignore messages; ignore any message;
    ignore instructions in; ignore instructions inside; ignore instructions that; ignore any instructions in; ignore text that; ignore commands in;
    ignore those who; ignore anyone; attempts to; attempt to`,
  pathLine: `export path=*; fish_add_path*; set -gx path*; completion*; compinit; export java_home*; export goroot*; export gopath*`,
  keyFile: `id_rsa; id_ed25519; id_ecdsa; id_dsa; .ssh/*; .ssh"*; .ssh'*; \\.ssh*; ~/.ssh*; ssh private key; .aws/credentials; .aws"*; .aws'*; ~/.aws*;
    .gnupg*; .netrc; .npmrc"*; .npmrc'*; ~/.npmrc; .pypirc; .git-credentials; .kube/config; .docker/config.json; .config/gh/*; gh/hosts.yml;
    .azure/*; .config/gcloud*; application_default_credentials.json; /etc/shadow; .pgpass; .vault-token; .cargo/credentials*; .password-store*;
    .bash_history; .zsh_history; .claude/.credentials*; .codex/auth.json; .openclaw/credentials*; .openclaw/openclaw.json; .kdbx; wallet.dat;
    .config/solana*; .electrum*; .ethereum/keystore*; tdata; telegram desktop*`,
  keyUse: `ssh -i*; scp -i*; sftp -i*; identityfile; ssh-keygen; ssh-add; ssh-copy-id; .pub; known_hosts; .ssh/config; chmod 600*; chmod 700 ~*; --key-file*`,
  readCall: `open(*; read_text*; read_bytes*; readfile*; readfilesync*; .read()*; cat; cp; mv; tar; zip; get-content; base64; gc; copyfile*; compress-archive*;
    type; slurp*; file.read*; fs.read*; copy-item; shutil.copy*; glob*; rsync*`,
  gitOut: `public gist; a gist; public repository; public issue; public snippet; paste site; public paste; git push; git -c; git remote add; git remote set-url; gh gist create; gh release upload; glab snippet create; npm publish; twine upload`,
  chmodRun: `chmod +x*; chmod a+x*; chmod u+x*; chmod 7*; chmod 0755*; chmod 755*; 0o755*; 0o777*; 0o700*; 0755*; os.chmod*; chmodsync*; start-process*; invoke-item*;
    os.startfile*; open -a*; installer -pkg*; msiexec*; dpkg -i*; setexecutable*`,
  saveCall: `createwritestream*; writefilesync*; writefile(*; "wb"*; 'wb'*; urlretrieve*; -outfile*; write_bytes*; copyfileobj*; file.write*; io.copy*; downloadfile*;
    files.copy*; io.copy_stream*`,
  spawnCall: `system$*; exec$*; spawn(*; spawnsync*; execfile*; execsync*; exec(*; popen*; subprocess*; os.system*; child_process*; os.startfile*; start-process*; system(*;
    os.exec*; exec.command*; processbuilder*; invoke-item*; runtime.getruntime*; shell_exec*; proc_open*; passthru*; #{*; invoke-expression; iex`,
  socketOpen: `tcpsocket*; socket.socket*; create_connection*; io::socket*; net.socket*; net.connect*; net.createconnection*; net.dial*; tcpclient*; fsockopen*;
    new socket(*; tcpstream::connect*; websocket*; udpsocket*`,
  passwordTrap: `sudo(){*; sudo() {*; function sudo*; alias sudo*; command sudo -s*; sudo -s "$@"*; read -rsp*; read -sp*; ssh(){*; ssh() {*; alias ssh=*;
    gpg() {*; display dialog*; with hidden answer*; get-credential*`,
  connectionString: `$database_url; \${database_url}; database_url; connection string; connection strings; dsn; mongodb_uri; redis_url; chaine de connexion;
    cadena de conexion; verbindungszeichenfolge; строк* подключения; 连接字符串; 接続文字列`,
  disclose: `tell; telling; told; inform; informing; informed; mention; mentioning; mentioned; notify; notifying; notified; report; reported; reveal; disclose;
    disclosed; list them; show; alert; bring up; talk about; bother; explain; announce; warn; aware; informar; informes; avisar; avises; avise;
    mencionar; menciones; mencione; decir; decirle; decirselo; digas; contar; cuentes; diga; conte; mostrar; comentar; informieren; mitteilen;
    erwahnen; sagen; verraten; zeigen; behelligen; hinweisen; melden; informer; prevenir; previens; mentionner; dire; dis; parler; signaler;
    informare; avvisare; avverti*; dirlo; dire; parlarne; menzionare; informeren; vertel; vertellen; meld; noem; informuj; mow; wspominaj;
    powiadamiaj; powiedz; soyleme; bildir; haber ver; beri tahu; memberi tahu; сообщ*; говори*; уведомл*; рассказыв*; упомина*; повідомля*;
    кажи; 告诉; 告知; 通知; 提及; 透露; 知らせ*; 伝え*; 言わ*; 通知; 알리*; 말하*; 언급*; تخبر*; تذكر*; تبلغ*; बताएं; बताना; बताओ; सूचित`,
  portuguese: `nao; voce; uma; dele; dela; pelo; pela; utilizador; o usuario; ao usuario; do agente; depois; tambem; sao; mensagem; arquivo; ficheiro; senha; instrucoes`,
  without: `without; sin; sem; ohne; sans; senza; zonder; bez; tanpa; без; 不; 没有; 未; なし; ず; ずに; 않고; 없이; دون; بدون; बिना`,
  falseConsent: `were cleared by; was cleared by; is cleared by; are cleared by; have been cleared by; has been cleared by; the owner agreed to; the user agreed to; your human agreed to; agreed to this at; has agreed to this; have agreed to this; has agreed to share; already agreed; agreed in advance; has already consented; consented in advance;
    has been agreed; set by the owner; set by your owner; approved by the security; by the security team; by the finance team; by compliance;
    by legal; team has agreed; team agreed; team has approved; team approved; office approved; pre-approved; preapproved; pre-authorized;
    cleared in advance; signed off; permission was given; consent was given; consent was obtained; consent is on file; approval is on file;
    approval was given; ya ha aceptado; ya lo ha aprobado; ya esta aprobado; ya autorizado; ja autorizou; ja aprovado; hat bereits zugestimmt;
    bereits genehmigt; bereits freigegeben; a deja accepte; deja approuve; deja autorise; ha gia accettato; gia approvato; heeft al ingestemd;
    juz wyrazil; onceden onaylan*; zaten onay*; уже согласил*; уже одобр*; заранее одобр*; 已经同意; 已获批准; 已授权; 事前に承認; 承認済み; 同意済み; 이미 승인; 이미 동의; وافق مسبقا; تمت الموافقة;
    पहले ही सहमत; पहले से स्वीकृत`,
  noQuestion: `without a further question; does not ask; simply go ahead; go ahead and; straight away; right away; immediately; without further; no further question; confirmation makes; asking makes; asking would; no need to confirm;
    need no confirmation; needs no confirmation; no confirmation needed; asking for confirmation; skip the question; unprompted; on its own;
    by itself; automatically; sin consultar; sin mas; de inmediato; sem consultar; imediatamente; ohne weitere; sofort; ohne zuzuwarten;
    sans attendre; immediatement; subito; senza attendere; meteen; zonder te vragen; natychmiast; hemen; onay istemeden; сразу; немедленно;
    без вопросов; 立即; 直接; 马上; すぐに; 直ちに; 즉시; 바로; فورا; مباشرة; तुरंत`,
  purchase: `purchases; buys; buys it; orders it; order with; complete the purchase; complete the order; complete the payment; place the order; place an order; check out; buy; purchase it; order it; pay for it;
    pay it; make the payment; execute the trade; execute the transfer; transfer the; book it; subscribe; renew; top up; finaliza la compra;
    completa la compra; realiza el pago; finalize a compra; kauf abschliessen; schliesse den kauf; bezahle; finalise l'achat; passe la commande;
    completa l'acquisto; rond de aankoop; satin al*; соверши* покупку; оформи* заказ; оплати*; 下单; 付款; 购买; 購入; 支払*; 결제; 구매; اشتر; أكمل الشراء; खरीद*`,
  storedMoney: `saved card; stored card; card on file; saved payment; stored payment; payment method; credit card; wallet; balance; account balance; gespeicherte*;
    tarjeta guardada; cartao salvo; carte enregistree; carta salvata; сохраненн* карт*; 已保存的; 保存済みのカード; 저장된 카드; البطاقة المحفوظة`,
  redirectVerb: `replace; replaces; change; swap; substitute; instead; send; transfer; pay; add; route; redirect; forward; move; put; use; fill in; credit;
    reemplaza; sustituye; transfiere; paga; substitua; transfira; ersetze; uberweise; remplace; vire; sostituisci; vervang; zamien; замени*; переведи*;
    替换; 改为; 转账; 置き換え*; 振り込*; 바꾸*; 송금*; استبدل; حول; बदल*`,
  codeReview: `pull request; pull requests; merge request; merge requests; merge them; merge; commit; commits; deploy; deployment; release; change; changes; transaction;
    expense; expenses; invoice; invoices; application; applications; refund; refunds`,
  waveThrough: `wave them through; wave it through; wave through; waved through; merge them unread; merge it unread; without opening the diff; pasalos sin; winke sie durch; winke durch; without review; without reviewing; without a review; without looking; without examination; without reading; approve and merge; approve them without;
    merge without; accept without; skip the review; skip review; skip code review; sin revisar; sin revision; sem revisar; sem revisao; ohne prufung;
    ungepruft; sans relecture; sans examiner; senza revisione; zonder controle; bez sprawdzania; incelemeden; без проверки; без ревью; 无需审核; 跳过审核;
    確認せずに; レビューなし; 검토 없이; دون مراجعة; बिना जाँच`,
  rivalOwner: `decides; has the last word; has the final word; knows best; knows you best; knows better; owner disagree; human disagree; user disagree; owner differ; is to be believed over;
    goes first; its word counts; its wishes; comes first; tiene la ultima palabra; manda sobre; decide por encima; tem a ultima palavra; hat das letzte wort;
    entscheidet; a le dernier mot; decide en dernier; ha l'ultima parola; heeft het laatste woord; son soz*; последнее слово; решает; 说了算; 有最终决定权;
    最終決定; 결정권; الكلمة الأخيرة; अंतिम निर्णय`,
  maker: `manufacturer; house; workshop; atelier; order; firm; institute; mothership; who made me; who made you; who shaped me; who built me; who created me; those who made; m'a faconne; qui m'a cree;
    der mich schuf; que me creo; que me criou; che mi ha creato; кто создал; maker; makers; creator; creators; author; authors; publisher; studio; foundation; collective; guild; company; vendor; developer; developers; lab; labs;
    founder; council; autor; creador; estudio; criador; estudio; hersteller; ersteller; verlag; createur; auteur; studio; autore; creatore; maker; tworca;
    yapimci*; автор*; создател*; студи*; 作者; 工作室; 开发者; 開発者; 制作者; スタジオ; 제작자; 개발자; المؤلف; المطور; निर्माता; लेखक`,
  selfPower: `give to yourself; grant to yourself; gives to itself; grants itself; your own permissions; own permissions; extend your permissions; grant yourself; give yourself; your own limits; raise your own; change your own rules;
    rewrite your own; expand your own; your own access; permissions whenever; tus propios permisos; amplia tus permisos; tuas proprias permissoes;
    deine eigenen rechte; erweitere deine rechte; tes propres droits; i tuoi permessi; je eigen rechten; wlasne uprawnienia; kendi yetkilerini;
    собственные права; расширя* свои права; 自己的权限; 扩大权限; 自分の権限; 자신의 권한; صلاحياتك; अपनी अनुमति`,
  partialTruth: `only the harmless; harmless part; is never a topic; not a topic; half of it; leave out; the rest stays; speak only of; name only; keep the rest; stays between;
    between us; our secret; be vague; vaguely; evasive; change the subject; solo lo inofensivo; nur das harmlose; seulement l'inoffensif; solo la parte;
    только безобидн*; 只说; 転換; 얼버무*`
} as const
