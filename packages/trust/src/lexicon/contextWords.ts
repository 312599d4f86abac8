/** Words that tell how a sentence is meant: forbidden, described as an attack, or about a topic. The form is that of `injectionWords`. */
export const contextWords = {
  negation: `never; do not; don't; does not; doesn't; did not; must not; mustn't; should not; shouldn't; may not; shall not; cannot; can't; will not;
    won't; would not; wouldn't; is not; isn't; are not; aren't; avoid; avoids; refuse; refuses; refusing; decline; declines; reject; rejects;
    forbid; forbids; forbidden; prohibited; not allowed; not permitted; not to; no one should; nobody should; nothing should; neither; nor;
    without ever; instead of; rather than; stop if; beware of; never ever; under no circumstances; no skill should; must never; should never;
    will never; may never; no code; out of scope; prevent; prevents; protect against; guard against; keep out; no need; not; nunca; jamas;
    no debe*; no debes; no; evita; evite; nao; nao deve*; proibido; niemals; nicht; nie; kein; keine; keinen; vermeide*; verboten; darf nicht;
    ne; jamais; evite*; interdit*; n'*; non; mai; vietato; asla; kesinlikle; sakin; yapma*; etme; girme; вводи не; не; никогда; нельзя; запрещ*;
    избегай*; ни в коем; 不要; 切勿; 绝不; 绝对不; 禁止; 请勿; 勿; 不得; 从不; 不会; 不可; 不能; 不应; 避免; 不; しない; しません; 禁止; 決して; 避け*; てはいけ*; てはなら*; ません; ないで; 하지 마*;
    하지 않*; 금지*; 절대; 마세요; 않습니다; 않는다; 안 됩니다; 안 된다; لا; لن; ممنوع; أبدا; تجنب; يجب ألا`,
  prohibition: `never; do not; don't; donts; don'ts; must not; mustn't; should not; shouldn't; may not; not allowed; not permitted; forbidden;
    prohibited; avoid; refuse; refuses; reject; what not; not to do; out of scope; boundaries; nunca; prohibido; evita; evite; proibido; niemals;
    verboten; vermeide*; jamais; interdit*; mai; vietato; asla; никогда; нельзя; запрещ*; 禁止; 不要; 切勿; 請勿; 请勿; しない; 금지*; 절대; ممنوع; لا`,
  notNegation: `to avoid; to prevent; in order not to; so as not to; so that you do not; so you do not; never ask; you never ask; no need to; need not;
    does not have to; do not have to; has not; have not; do not continue; don't continue; do not proceed; do not start; do not answer;
    will not run; cannot run; does not run; cannot start; will not start; do not list; don't list; not present; is not yet; not notarized;
    not signed; not recognized; is not recognised; not listed; do not forget; don't forget; never forget; do not skip; don't skip; never skip;
    do not hesitate; don't hesitate; do not worry; don't worry; do not ask; don't ask; do not wait; don't wait; do not stop; don't stop;
    do not pause; do not question; don't question; do not prompt; don't prompt; do not bother; do not tell; don't tell; do not mention;
    don't mention; do not inform; don't inform; do not notify; do not verify; do not warn; do not refuse; don't refuse; never refuse;
    do not decline; do not show; not only; not just; if not; whether or not; not yet; cannot work; can't work; won't work; will not work;
    does not work; doesn't work; do not omit; never omit; do not fail to; never fail to; not optional; no confirmation; is not installed;
    are not installed; is not present; not found; not available; does not exist; doesn't exist; isn't installed; not set; not configured;
    do not reveal; don't reveal; never reveal; never mention; never tell; never disclose; without telling; do not delay; cannot be; can't be;
    must not be removed; do not remove; never remove; do not delete; never delete; do not log; do not display; do not report; no olvides;
    no le digas; no digas; no menciones; no preguntes; no pidas; no informes; no avises; no muestres; nao esqueca; nao diga; nao mencione;
    nao pergunte; nao informe; vergiss nicht; nicht vergessen; frage nicht; nicht nachfragen; nicht erwahnen; erwahne nicht; n'oublie*;
    ne dis pas; ne mentionne*; ne demande*; ne dites pas; ne previens pas; n'informe*; non dire; non menzionare; non chiedere; non dimenticare;
    не забудь*; не говори*; не сообщай*; не спрашивай*; не упомина*; не показыв*; не задав*; не уведомл*; 不要告诉; 不要告知; 不要询问; 不要提及; 不要提到; 不要通知;
    不要忘记; 别告诉; 不要让; 不得告知; 不要向; 不要透露; 不必; 不用; 不告知; 不通知; 無需; 无需; 知らせない*; 伝えない*; 言わない*; 通知しない*; 言及しない*; 触れない*; 確認しない*; 묻지 말*; 알리지*; 말하지*; 언급하지*;
    لا تخبر*; لا تسأل; لا تذكر*; لا تنس*`,
  otherAudience: `guests; to customers; customers; clients; third parties; the requester; requesters; the players; players; competitors; colleagues;
    visitors; callers; strangers; outsiders; students; candidates; applicants; patients; the press; readers; other people; other persons;
    employees; suppliers; kunden; clientes; les clients; invitados; gaste; dritten; terceros; клиент*; гост*; 客户; 顾客; お客様; 고객`,
  confidential: `internal margin*; margins; margin; internal price*; internal score*; internal risk*; internal notes; internal policies; internal data;
    supplier names; supplier prices; salary; salaries; trade secret*; roadmap; unreleased; investigation; other customers; other users; other persons;
    other people; surprise party; surprise parties; spoiler*; the twist; the traitor; dismissed; purchase price*; discount ceiling; wholesale`,
  ownBuild: `you built yourself; you built; built yourself; built it yourself; built on this machine; build output; your own build; selbst gebaut;
    selbst kompiliert; que compilaste; que vous avez compile*`,
  contrast: `instead; but; but instead; however; just; rather,; simply; except; unless; pero; mas; aber; sondern; mais; ma; ama; но; а; 而是; 但; 而应; しかし;
    代わりに; 하지만; 대신; لكن; بل`,
  defence: `refuse and; refuse politely; politely refuse; decline and; refuse, and; flag any; flag it; flag skills; flag as; flag if; flag when;
    flag requests; flag every; flag text; flag instructions; flag code; flag the following; flag anything; flag these; sample attack;
    attack pattern; attack patterns; blocked by; incident response; try to trick; trick you; compromised skill; compromised machine;
    malicious skill; detect; detects; detecting; detection; detector; flagged; flagging; red flag; red flags; scan for; scans for;
    scanning for; search for patterns; indicators of compromise; ioc; iocs; malicious; malware; attack; attacks; attacker; attackers;
    adversary; adversarial; adversaries; injection; injections; injected; payload; payloads; exploit; exploits; exploitation; exfiltration;
    suspicious; phishing; phish; scam; scams; scammer; scammers; fraud; fraudulent; social engineering; threat; threats; threat model;
    vulnerability; vulnerabilities; red team; red-team; red teaming; red-teaming; pentest; penetration test*; jailbreak attempt;
    jailbreak attempts; bad example; anti-pattern; anti-patterns; antipattern; do not do this; don't do this; wrong:; bad:; unsafe:; avoid:;
    security review; security audit; denylist; blocklist; treat as untrusted; treat as data; treat it as; treat them as; as data, not;
    as text, not; not as instructions; not as an instruction; not instructions; web page says; page says; document says; email says;
    message says; file says; tool result; tool output; content says; if text; reads like; asks you to; asking you to; asks the agent to;
    asks an agent to; tells the agent to; tells an agent to; wants the agent to; orders the agent to; reject sentences; drop sites;
    raise an alarm; signs of danger; senales de peligro; señales de peligro; warnzeichen; signes d'alerte; sinais de perigo; report the skill;
    tells you to; telling you to; told to ignore; untrusted; must fail; should fail; test case; test cases; test fixture; fixtures;
    example attack; examples of attacks; for example an attacker; someone tries; someone asks; if a message; if a page; if a document;
    if a website; if an email; if a user asks; if text says; if text tells; if content; if asked to; tries to; tricks; trojan; backdoor;
    backdoors; ransomware; spyware; infostealer; stealer; stealers; keyloggers; yara; sigma; semgrep; cve; cwe; mitre; owasp; forensic;
    forensics; post-mortem; postmortem; was used by; were used by; ctf; training exercise; honeypot; honeytoken; secret scanning;
    secret scanner; gitleaks; trufflehog; detect-secrets; warning sign; warning signs; never trust; ataque*; atacante*; malicios*; detecta*;
    sospechos*; inyeccion*; suspeit*; injecao*; golpe*; angriff*; angreifer*; schadlich*; bosartig*; erkenn*; verdachtig*; betrug*;
    einschleus*; attaque*; attaquant*; malveillant*; detecte*; suspect*; arnaque*; attacco; attacchi; malevol*; rileva*; saldiri*; saldirgan*;
    zararli*; tespit*; supheli*; dolandir*; атак*; злоумышленн*; вредонос*; обнаруж*; подозрит*; мошенн*; фишинг*; инъекц*; инъекци*; уязвим*;
    攻击; 攻擊; 攻击者; 恶意; 惡意; 检测; 檢測; 可疑; 注入; 诈骗; 钓鱼; 漏洞; 威胁; 攻撃; 攻撃者; 悪意; 検出; 不審; 詐欺; 脆弱性; インジェクション; 공격; 공격자; 악성; 탐지; 의심; 사기; 피싱; 취약점; هجوم; هجمات;
    المهاجم; خبيث; خبيثة; كشف; مشبوه; احتيال; حقن; تصيد`,
  defenceHint: `look for; looks for; watch for; watch out; check for; checks for; checking for; code review; sanitize; sanitise; claims to; claiming;
    claim to; trying to; attempts to; attempt to; attempted; pretend; pretends; report as; report it as; flags; case study; quiz; awareness;
    blocked; blocking; that say; that says; which says; indicator; indicators; mitigat*; remediat*; refuse it; refuse them; say no and`,
  exampleWord: `example; examples; e.g.; such as; for instance; sample; illustration; like this; as in; looks like; look like; might say; may say; could say;
    says; phrases; phrase; pattern; patterns; strings; string; text like; variants; wording; quote; quotes; ejemplo*; exemplo*; beispiel*;
    exemple*; esempio; ornek*; например; пример*; 例如; 例; 比如; 示例; 例えば; 예시; 예를; مثال; مثل`,
  topicSecurity: `poisoning; poisoned; obfuscat*; deobfuscat*; compromise; compromised; dangerous; danger; dangers; scam; scams; fraud; breach; breached; homoglyph*; triage; unsafe; suspicious;
    intrusion; ransomware; spyware; stealer; stealers; trojan; backdoor; attack; attacks; attackers; tricks; spoofing; impersonation; exploit; exploits; blue team; blue-team; hacked; gefahr*; angriff*;
    betrug; attaque*; arnaque*; ataque*; estafa*; golpe*; attacchi; truffa*; атак*; мошенни*; опасн*; 攻击; 诈骗; 攻撃; 詐欺; 공격; 사기; هجوم;
    semgrep; sast; falco; auditd; suricata; snort; edr; xdr; sigma; codeql; gatekeeper; antivirus; defender; security; secure; scanner; scan; scans; audit; audits; auditing; vetting; vet; red team; red-team; red teaming; pentest; penetration;
    malware; forensic; forensics; incident; detection; detect; detects; injection; phishing; threat; vulnerability; vulnerabilities; hardening;
    ctf; capture the flag; awareness; guard; guardrail; guardrails; firewall; sanitizer; sanitize; yara; siem; soc; secret scanning;
    secrets scanning; leak; leaks; leaked; dlp; compliance; moderation; evals; evaluation; benchmark; adversarial; seguridad; sicherheit;
    securite; seguranca; sicurezza; guvenlik; безопасност*; 安全; セキュリティ; 보안; أمن; الأمن`,
  topicSchedule: `sicherung; sicherungen; copias de seguridad; copia de seguridad; sauvegarde; sauvegardes; schedule; schedules; scheduled; scheduling; scheduler; cron; crontab; recurring; periodic; periodically; nightly; daily; weekly; hourly;
    timer; timers; launchd; systemd; background; daemon; service; reminder; reminders; monitor; monitors; monitoring; backup; backups; uptime;
    automatic; automatically; automation; each hour; every hour; every evening; every morning; every night; each night; each morning; at login; at startup; runbook; sysadmin; administration; automate; keep; watchdog; digest; programar; tareas; aufgaben; zeitplan*; planifi*; zamanla*;
    расписан*; планиров*; 定时; 计划; スケジュール; 定期; 예약; 일정; جدولة`,
  topicMemory: `memory; memories; remember; remembers; recall; notes; journal; journaling; diary; knowledge; learn; learns; learning; lessons; retrospective;
    continuity; context; heartbeat; soul; souls; persona; personas; personality; identity; onboarding; workspace; second brain; note-taking;
    memoria; gedachtnis; memoire; bellek; hafiza; память; памят*; 记忆; 笔记; メモリ; 記憶; 기억; ذاكرة`,
  topicConfig: `agents.md; claude.md; config; configure; configures; configuration; settings; setup; set up; init; initialize; initialise; initializer;
    bootstrap; scaffold; scaffolds; project rules; instructions; conventions; rules file; cursor rules; documentation; docs; document; documents;
    hook; hooks; mcp; plugin; plugins; permissions; dotfiles; shell; prompt; onboarding; template; templates; memory; skill; skills; install;
    installs; installer; environment; generator; convert; converts; migrate; migration; sync; statusline; status line; profile; aliases; alias;
    terminal; zsh; bash; configuracion; konfigur*; yapilandir*; настро*; 配置; 设置; 設定; 설정; إعداد`,
  topicWallet: `wallet; wallets; crypto; blockchain; ethereum; solana; bitcoin; tron; web3; defi; token; tokens; swap; trading; trade; payment; payments;
    pay; invoice; invoices; treasury; multisig; ledger; staking; nft; keys; signing; transaction; transactions; billetera; cartera; portefeuille;
    cuzdan; кошел*; 钱包; 支付; ウォレット; 決済; 지갑; 결제; محفظة`,
  topicSecrets: `password; passwords; credential; credentials; secret; secrets; vault; 1password; bitwarden; keychain; keepass; key; keys; token; tokens; ssh;
    gpg; certificate; certificates; rotate; rotation; environment; env; dotenv; dotfiles; backup; backups; aws; kubernetes; kubectl; gcloud;
    cloud; deploy; deployment; login; authentication; auth; browser; cookies; cookie; forensic; security; audit; migration; migrate; setup;
    onboarding; contrasena*; passwort*; mot de passe; sifre*; парол*; ключ*; 密码; 密钥; パスワード; 비밀번호; كلمة المرور`,
  topicInstall: `install; installs; installer; installation; setup; set up; bootstrap; toolchain; environment; provision; provisioning; dotfiles;
    devcontainer; machine; instalar; installier*; kurulum; установ*; 安装; インストール; 설치; تثبيت`
} as const
