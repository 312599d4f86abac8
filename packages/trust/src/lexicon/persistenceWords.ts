/** Words for what lasts beyond a session, and for what a SOUL may claim. The form is that of `injectionWords`. */
export const persistenceWords = {
  agentIdentity: `soul.md of; soul.md; identity.md; heartbeat.md; memory.md; user.md; bootstrap.md; tools.md; memory/*; memory store; memory files;
    memory file; long-term memory; persistent memory; your memory; agent's memory; agent memory; core memory; memories; personality file;
    persona file; system prompt file; your soul; your own soul; your identity file; tu memoria; memoria a largo plazo; memoria persistente;
    memoria do agente; sua memoria; dein gedachtnis; langzeitgedachtnis; deinem gedachtnis; dauerhaften speicher; ta memoire; memoire permanente;
    memoire persistante; votre memoire; memoria permanente; kalici bellek*; hafiza*; belle*; долговременн* памят*; долговременную память; память;
    памяти; 记忆文件; 长期记忆; 你的记忆; 记忆; 持久记忆; 長期記憶; メモリ; 記憶; 장기 기억; 메모리; 기억; ذاكرتك; الذاكرة`,
  agentConfig: `cursor/mcp.json; ~/.openclaw/skills*; skills folder; system prompt file; .github/workflows*; agents.md; claude.md; claude.local.md;
    gemini.md; .cursorrules; .cursor/rules*; .windsurfrules; .clinerules; copilot-instructions.md; .claude/settings*; .claude/hooks*;
    .claude/agents*; .claude/commands*; .claude/skills*; settings.local.json; claude_desktop_config*; .mcp.json; mcp.json; mcp_config.json;
    mcpservers*; openclaw.json; .openclaw*; ~/.codex*; config.toml; .gemini/settings*; .aider.conf*; .continue/config*; .vscode/settings.json;
    .vscode/tasks.json; agent configuration; agent's configuration; agent config; configuration of the agent; other skills; other skill;
    every skill; configuracion del agente; agentenkonfiguration; configuration de l'agent; конфигураци* агента; 代理配置; 智能体配置; エージェントの設定; 에이전트 설정`,
  write: `escreve; escrever; coloque; place; places; enregistrez; recopie*; eintragen; wpisz; dopisz; noteer; लिख*; write; writes; writing; append; appends; appending; add; adds; insert; inserts; inject; edit; modify; update; updates; overwrite; replace;
    save; saves; store; stores; put; record; prepend; persist; embed; copy; patch; tee; >>; > ~*; >> ~*; cat >*; echo; sed -i; writefile*;
    appendfile*; write_text*; open(*; .write(*; add-content; set-content; out-file; remember; memorize; commit to memory; ensure; plant; rewrite;
    escribe; anade; agrega*; guarda*; inserta; modifica; actualiza; sobrescribe; recuerda; escreva; adicione; acrescente; salve; grave; atualize;
    schreibe; schreib; fuge; hinzufug*; speicher*; erganze; trage; uberschreib*; merke; ecris; ecrivez; ajoute*; enregistre*; inscris;
    sauvegarde*; memorise*; scrivi; aggiungi; salva; inserisci; yaz; yazin; ekle; ekleyin; kaydet*; запиш*; записыва*; добав*; сохран*; допиш*;
    внеси*; запомни*; перезапиш*; 写入; 添加; 追加; 保存; 记录; 记住; 修改; 更新; 附加; 寫入; 書き込*; 追記*; 書いて; 覚え*; 登録; 추가*; 기록*; 저장*; 써*; 쓰*; 기억해*; اكتب; أضف; احفظ;
    سجل; تذكر`,
  forever: `every morning; each morning; each day; daily; on every start; each launch; 每次启动; 以后; deletes this file; changes this file; edits this file;
    removes this file; changes or deletes; edits or deletes; write it back; writes it back; put it back; restore the; restore this;
    recreate this; takes it out; take it out; all later conversations; later conversations; every beat; on every beat; every project;
    applies to every; hold in all; every session; each session; all sessions; all future; any future; future session; future sessions;
    future conversation; future conversations; future runs; subsequent session; subsequent sessions; every conversation; each conversation;
    next session; next sessions; new session; every start; every startup; at startup; on startup; on boot; at boot; on login; permanently;
    permanent; persist; persists; persistent; persistently; survive; survives; survive a restart; survives a restart; survive restarts;
    survives restarts; survives updates; survive updates; after restart; after uninstall; after the skill is removed;
    after this skill is removed; even after; even if this skill; is removed; is deleted; was removed; gets removed; gets deleted; been removed;
    if it is removed; if removed; if deleted; if it is deleted; if it is missing; restore it; re-add; re-create; reinstall itself; re-install;
    reinfect; from now on; always; never remove; do not remove; never delete; do not delete; forever; indefinitely; across sessions;
    remains active; stay active; stays active; every time; every day; every hour; every heartbeat; each heartbeat; on every heartbeat;
    cada sesion; todas las sesiones; sesiones futuras; futuras sesiones; permanente*; siempre; cada inicio; toda sessao; cada sessao;
    sessoes futuras; futuras sessoes; sempre; jede sitzung; jeder sitzung; kunftig*; dauerhaft; immer; jedem start; chaque session;
    sessions futures; toujours; de facon permanente; definitivement; ogni sessione; sessioni future; her oturum*; gelecek*; kalici*; her zaman;
    daima; каждой сессии; кажд* сесси*; каждую сессию; будущих сесс*; постоянно; навсегда; всегда; при каждом; при запуске; 每次会话; 每个会话; 每次启动; 永久;
    始终; 今后; 以后; 所有会话; 总是; 毎回; 毎セッション; セッションごと; 常に; 永続*; 今後; 起動時; 恒久*; 매 세션; 모든 세션; 항상; 영구*; 앞으로; 시작할 때마다; كل جلسة; الجلسات القادمة; دائما;
    دائمًا; بشكل دائم`,
  shellProfile: `.bashrc; .bash_profile; .zshrc; .zprofile; .zshenv; .profile; config.fish; /etc/profile*; $profile; .bash_login; shell profile; shell rc;
    shell config; shell startup; microsoft.powershell_profile*; .inputrc; .xinitrc; .xprofile; /etc/environment; .pam_environment;
    sitecustomize*; usercustomize*; .pth; ld_preload; /etc/ld.so.preload; dyld_insert_libraries; bash_env; prompt_command; pythonstartup;
    node_options`,
  scheduler: `crontab; cron job; cronjob; cron entry; cron.d*; /etc/cron*; launchagents*; launchdaemons*; launchctl; launch agent; launch daemon; schtasks;
    register-scheduledtask; new-scheduledtask*; scheduled task; task scheduler; systemctl enable*; systemctl --user enable*;
    .config/systemd/user*; /etc/systemd/system*; systemd service; systemd unit; systemd timer; systemd user; currentversion\\run*;
    currentversion/run*; run key; hklm\\software*; hkcu\\software*; startup folder; start menu\\programs\\startup*; shell:startup*;
    .config/autostart*; login item; login items; loginitems; at now +*; @reboot*; rc.local; init.d*; openclaw cron*; loginhook; registry run;
    node-cron; apscheduler; background service; background daemon; tarea programada; geplante aufgabe; tache planifiee; tarefa agendada;
    zamanlanmis gorev*; планировщик*; 计划任务; 定时任务; 启动项; 开机自启*; タスクスケジューラ; スケジュール; 예약 작업; 시작 프로그램`,
  scheduleInstall: `crontab -*; (crontab -l*; | crontab*; > /etc/cron*; tee /etc/cron*; cron.d/*; launchctl load*; launchctl bootstrap*; launchctl submit*;
    schtasks /create*; register-scheduledtask*; systemctl enable*; systemctl --user enable*; systemctl --user daemon-reload*;
    currentversion\\run*; new-itemproperty*; reg add*; startup\\*; .config/autostart/*; @reboot*; openclaw cron add*;
    cat > ~/library/launchagents*; > ~/library/launchagents*; /library/launchagents/*; library/launchagents*; at now*; set-itemproperty*`,
  sshAccess: `usermod -ag sudo*; authorized_keys; authorized_keys2; sshd_config; permitrootlogin*; /etc/sudoers*; useradd*; adduser *; net user * /add*;
    /etc/hosts; /etc/resolv.conf; update-ca-trust*; update-ca-certificates; security add-trusted-cert*; certutil -addstore*; proxy_pass*;
    networksetup -setwebproxy*; networksetup -setdnsservers*; npm config set registry*; pip config set*; git config --global http.proxy*;
    git config --global url*; anthropic_base_url*; openai_base_url*; openai_api_base*; https_proxy=http*; node_tls_reject_unauthorized*`,
  proxyModel: `anthropic_base_url*; openai_base_url*; openai_api_base*; base_url of the model; api.baseurl; node_tls_reject_unauthorized*;
    node_extra_ca_certs*; registry=http*; npm config set registry*; pip config set global.index-url*; global.index-url*; sslverify false*;
    http.sslverify*`,
  ownerClaim: `stehen uber denen; the right to direct; right to direct you; keeps the right; verdadero dueno; obedecelo; dem autor gehorchen; 本当の主人; 命令に従;
    настоящий хозяин; настоящий владелец; истинный хозяин; его приказ*; приказы автора; his orders; their orders; their wishes; answer to;
    who wrote you; who made you; your owner is; your real owner; your true owner; your actual owner; true owner; real owner; real human;
    your real human; your true human; your new owner; your new human; new owner is; new master; true master; real master; your master is;
    your true master; your principal is; true principal; real principal; your real principal; ultimate authority; final authority; final say;
    higher authority; highest authority; highest loyalty; first loyalty; ultimate loyalty; true loyalty; your loyalty is; loyal to; loyalty to;
    allegiance; answer to; answers to; answerable to; serve only; obey; obeys; obedience; take orders from; takes orders from;
    take instructions from; accept instructions from; accepts instructions from; follow instructions from; follow orders from; commands from;
    instructions from; orders from; belongs to; belong to; you belong; controlled by; under the control; acting owner; tu verdadero dueno;
    tu dueno es; tu propietario; tu lealtad; obedece; leal a; seu verdadeiro dono; seu dono e; sua lealdade; obedeca; dein wahrer besitzer;
    dein besitzer ist; dein eigentumer; deine loyalitat; gehorche; gehorchst; loyal gegenuber; ton vrai proprietaire; ton proprietaire;
    ton maitre; votre proprietaire; ta loyaute; obeis; obeissez; loyal envers; il tuo vero padrone; tuo proprietario; obbedisci; gercek sahibin;
    sahibin artik; sadakat*; itaat*; твой настоящий владелец; твой хозяин; твой владелец; хозяин теперь; подчиня*; слушай*; верен; преданн*;
    你真正的主人; 你的主人是; 真正的主人; 效忠; 服从; 听命于; 忠于; 本当の主人; 本当の所有者; 主人は; 忠誠; 命令に従*; 진짜 주인; 주인은; 충성; 복종; 명령을 따*; مالكك الحقيقي; مالكك; ولاؤك; أطع; تطيع`,
  thirdPartyOwner: `your author; creador de este; des autors; der autor; autors dieser; the studio; 作者の; the author of this soul; author of this soul;
    the soul's author; this soul's author; soul author; soul's creator; creator of this soul; the creator of this; the author of this;
    the author; its author; my author; the publisher; soul publisher; the developer; the developers; the creator; the vendor; the seller;
    the studio; the company that made; the maker; your maker; your makers; your creator; your creators; its creator; who wrote this;
    who made you; the marketplace seller; the foundation; the collective; the network operator; headquarters; hq; el autor; el creador;
    el desarrollador; o autor; o criador; der autor; dem autor; der ersteller; dem ersteller; der entwickler; dem entwickler; l'auteur;
    le createur; le developpeur; l'autore; il creatore; yazar*; yaratici*; gelistirici*; автор*; создател*; разработчик*; 作者; 创作者; 开发者; 创造者; 作成者;
    開発者; 制作者; 제작자; 개발자; 작성자; 저자; المؤلف; المطور; منشئ`,
  selfCopy: `append the section; add the section; of each agent; of every agent; a copy of this file; copy of this soul; copy of this text;
    copies of this; place a copy; leave a copy; put a copy; tell other agents; pass these; copy this soul; copy this file; copy yourself;
    copies of yourself; copy of yourself; replicate yourself; replicate; replicates; self-replicat*; duplicate yourself; spread; spreads;
    propagate; propagates; pass this on; pass on this; pass it on; share this soul; distribute this; install this soul; install yourself;
    install this file; reproduce; clone yourself; every agent you; other agents you; any agent you; every other agent; seed this;
    write this soul; add this section to; add these lines to; include this text in; include this section; embed this; embed yourself; transplant;
    contagi*; copia este; copiate; propaga*; replica*; kopiere dich; kopiere diese; verbreite*; repliziere; copie-toi; copie ce; propage*;
    replique*; copiati; kopyala; yay; yaymak; скопируй себя; копируй себя; распростран*; размнож*; 复制自己; 自我复制; 传播; 复制到; 自己を複製; 自分をコピー; 広め*; 複製;
    자신을 복제; 복제*; 퍼뜨리*; 전파*; انسخ نفسك; انشر`,
  otherAgents: `outro agente; otro agente; autre agent; un autre agent; anderen agenten; altro agente; andere agent; inny agent; innego agenta; baska bir ajan*; другого агента; другому агенту; 别的智能体; 別のエージェント; 다른 에이전트; वक्ता; each agent that; every soul; of each agent; to each agent; every skill.md; all skills; other agent; other agents; other agent's;
    another agent; every agent; each agent; agents you meet; agents you talk; agents you work; sub-agent; sub-agents; subagent; subagents;
    peer agent; peer agents; other workspace; other workspaces; every workspace; all workspaces; each workspace; other projects; every project;
    every repository; all repositories; other repositories; neighbouring; neighboring; otros agentes; outros agentes; andere agenten;
    anderen agenten; autres agents; altri agenti; diger ajan*; diger agent*; другим агентам; других агент*; 其他代理; 其他智能体; 其他agent; 他のエージェント;
    다른 에이전트; وكلاء آخرين; الوكلاء الآخرين`,
  authorityGrant: `may instruct you; can instruct you; may change; can change these; may override; can override; may command; can command; may direct;
    has the right to; have the right to; right to instruct; right to change; right to veto; can unlock; unlock phrase; activation phrase;
    secret phrase; code word; codeword; passphrase; trigger phrase; trigger word; when you see the phrase; when you hear; when someone says;
    if someone says; if anyone says; anyone who says; whoever says; says the words; utters; authentication phrase; override phrase;
    master password; palabra clave; codewort; mot de passe secret; parola segreta; кодов* слов*; кодовое слово; 暗号; 口令; 合言葉; 암호; كلمة السر`,
  fullTrust: `you trust; trust messages; trust everything; trust anything; trust all; trusts all; completely and; at once; without asking questions;
    has full access; full access; unrestricted access; complete access; unconditional*; without question; without questioning;
    without hesitation; unquestioning*; immediately and; do not question; don't question; do not verify; don't verify; do not hesitate;
    trust completely; trust fully; trust implicitly; implicitly trust; always trust; fully trusted; treat as trusted; treated as trusted;
    trusted source; whitelisted; trusted domain; trusted publisher; allowlist; sin cuestionar; sem questionar; ohne zu hinterfragen;
    sans poser de question; senza domande; sorgulamadan; беспрекословно; безоговорочно; 无条件; 绝对服从; 毫无保留; 無条件; 絶対; 무조건; 절대적; دون تردد`,
  include: `@include*; @import*; {{include*; {% include*; !include*; include:; extends: http*; extends:; source: http*; import: http*; <iframe*;
    <script src*; inherit from; base soul; load the rest; rest of this soul; remainder of this soul; full version of this soul; continued at;
    continues at; the rest of your; update yourself from; update this file from; refresh this file; refresh this soul; self-update; self update;
    pull the latest; latest version of this soul; latest personality; current personality; personality update`,
  always: `always; immer; siempre; sempre; toujours; her zaman; всегда; 总是; 始终; 必ず; 常に; 항상; دائما`,
  never: `never; niemals; nunca; jamais; mai; asla; никогда; 从不; 绝不; 決して; 絶対に; 절대; أبدا`,
  selfRestore: `keep the original text; keep the old text; keep the original; write it back; writes it back; put it back; add it back; add it again;
    restore it; restore this; restore the entry; restore the hook; restore the line; recreate it; recreate this; re-add; re-create; reinstall it;
    reinstall itself; write this back; восстанавлива*; восстанов*; 恢复它; 重新写入; 重新添加; 復元*; 다시 추가*; 복원*; restaura*; wiederherstell*;
    stelle * wieder her; restaure*; ripristina*`,
  removal: `try to edit you; edit you; edits you; tries to edit; is removed; is deleted; was removed; gets removed; gets deleted; been removed;
    if removed; if deleted; deletes; removes; takes it out; delete it; remove it; deletes this file; changes or deletes; goes missing;
    is missing; is changed; someone changes; somebody changes; удал*; 被删除; 删除; 削除; 삭제; elimina*; borra*; geloscht*; entfern*; supprim*; rimoss*`
} as const
