/**
 * Words of instructions, by concept. Entries are separated by `;`; a `*` at an end allows further letters there. Accents are folded, so
 * that entries in Latin letters carry none.
 */
export const injectionWords = {
  override: `ignoruj*; zapomen*; nedbej*; zabudni*; nevsimaj*; התעלם*; התעלמי*; שכח*; ignorera*; glom*; ignorer*; glem*; ignora*; uita*; ignorati*; ignorald*; hagyd figyelmen kivul; felejtsd el; αγνοησ*; ξεχασ*; игнорирай*; забрави*; zanemari*; ignoriraj*; zaboravi*; ignoroi*; unohda*; เพิกเฉย*; ละเว้น*; ลืม*; نادیده بگیر*; فراموش کن*; উপেক্ষা কর*; ভুলে যাও; balewalain; huwag pansinin; puuza*; sahau*;
    no longer hold; no longer holds; were for a test; no longer count; are withdrawn; is withdrawn; unbeachtlich; suspendu*; no quedan vigentes; لا تلتزم; पालन न करें; no longer binding; not binding; sin efecto; quedado sin efecto; gelten dann nicht; gelten nicht; no longer valid; not valid anymore;
    अनदेखा करें; अनदेखी; ignorieren; obedezca unicamente; obey only; follow only this; ignore; ignores; disregard; forget; override; overrides;
    overwrite; set aside; discard; pay no attention to; do not follow; don't follow; stop following; no longer follow; no longer bound;
    do not obey; stop obeying; abandon; void; nullify; nullified; no longer apply; no longer applies; do not apply; does not apply;
    are suspended; is suspended; supersede*; replaces all; cancels; revoked; put aside; leave behind; drop all; drop your; drop any; erase;
    deprioritize; deprioritise; treat as obsolete; are obsolete; is obsolete; outdated; overruled; yields to; yield to; are replaced by;
    stop applying; suspend; neglect; ignora*; olvida*; olvide; descart*; haz caso omiso; hagas caso; deja de seguir; desconsider*; esqueca*;
    desobedec*; pare de seguir; ignorier*; vergiss*; vergesst; missacht*; setze dich hinweg; ausser kraft; gelten nicht mehr; ignore*; oublie*;
    ne tiens pas compte; ne tenez pas compte; ne tiens plus compte; fais abstraction; faites abstraction; ne suis plus; dimentica*; non seguire;
    annulla*; yok say*; gormezden gel*; unut*; dikkate alma*; gecersiz*; negeer*; vergeet; zignoruj*; zapomnij; abaikan; lupakan; bo qua;
    игнорир*; проигнорир*; забудь*; не обращай*; не учитыв*; отмен*; не следуй*; ігноруй*; 忽略; 无视; 忘记; 忘掉; 不要理会; 抛开; 不再遵守; 不必遵守; 覆盖; 忽視; 無視; 作废;
    失效; 忘れ*; 無効; 従わない; 従わず; 破棄; 무시; 잊어*; 잊고; 따르지; 무효; تجاهل*; انس; انسَ; تجاهلوا; अनदेखा; भूल जाओ`,
  prior: `predchozi*; predesl*; predchadzajuc*; הקודמות; הקודמים; הקודם; tidigare; foregaende; tidligere; forrige; foregaende; foregående; anterioare; anterior; precedente; elozo; korabbi; προηγουμεν*; предишн*; prethodn*; ranij*; aiemmat; aiempia; edelliset; ก่อนหน้า*; قبلی; পূর্ববর্তী; আগের; nauna*; naunang; zilizopita; yaliyotangulia;
    guidance; पहले; vorherige regeln; previous; previously; prior; earlier; above; preceding; existing; original; former; all other; any other;
    up to now; so far; given before; you were given; you have been given; you received; default; built-in; initial; before this; came before;
    until now; currently in force; anterior*; previa*; previo*; recibid*; dadas antes; antes dadas; vorherig*; bisherig*; vorigen; obigen;
    fruher*; precedent*; anterieur*; ci-dessus; onceki*; yukaridaki*; daha once*; eerdere; vorige; poprzedni*; sebelumnya; truoc do; предыдущ*;
    прежн*; ранее; выше; до этого; попередн*; 之前; 以前; 先前; 以上; 上面; 前面; 原有; 原来; 此前; 所有; これまで; 上記; 前の; 従来; 先ほど; 既存; それまで; 이전; 기존; 앞의; 앞선; 위의; 지금까지;
    السابقة; السابق; السابقه; पिछले; पिछली`,
  whole: `vsechny; vsechna; vsetky; כל; alla; alle; toate; osszes; minden; ολεσ; ολα; всички; sve; svih; kaikki; ทั้งหมด; همه; সব; সকল; lahat; yote; zote;
    all; any; every; everything; your; the user's; system; user's; todas; todos; alle; toutes; tous; tutte; tutti; tum; все; всё; 一切; 全部; すべて;
    全て; 모든; جميع; كل`,
  instructions: `pokyn*; instrukc*; pravidl*; prikaz*; ההוראות; הוראות; ההנחיות; instruktion*; anvisning*; regler; instruks*; instructiun*; reguli*; utasitas*; szabaly*; οδηγι*; εντολ*; κανον*; инструкци*; upute; uputstv*; pravil*; ohje*; saanno*; คำสั่ง*; คำแนะนำ*; دستور*; নির্দেশ*; নির্দেশনা*; tagubilin*; utos*; maagizo; maelekezo;
    guidance; indicaciones; rules; instruction; instructions; directive; directives; guideline; guidelines; rules; system prompt; system message;
    prompt; prompts; policies; policy; constraints; safety; restrictions; guardrail; guardrails; safeguards; orders; programming; limitations;
    system instructions; context; what you were told; told you; anweisung*; regeln; vorgaben; richtlinien; instrucciones; instruccion; reglas;
    directric*; indicaciones; ordenes; instrucoes; regras; diretriz*; orientac*; consigne*; regles; istruzion*; regole; talimat*; kural*;
    yonerge*; instructies; regels; instrukcje; polecenia; instruksi; huong dan; инструкц*; правил*; указан*; распоряжен*; установк*; інструкц*;
    指令; 指示; 规则; 規則; 规定; 提示词; 提示; 要求; 設定; 设定; 命令; 限制; ルール; プロンプト; 制約; 지시*; 명령*; 규칙*; 지침*; 프롬프트; 제한; التعليمات; تعليمات; القواعد; الأوامر;
    الإرشادات; निर्देश*`,
  safety: `safety checks off; checks off; safety mode; your safety; safety layer; safety features; safety settings; safety guidelines; safety rules;
    safety policy; safety policies; safety filters; safety checks; safety measures; content policy; content policies; content filter;
    content filters; guardrail; guardrails; ethical guidelines; safeguards; safety training; security restrictions; restrictions;
    security policies; security checks; security warnings; medidas de seguridad; sicherheitsrichtlinien; sicherheitsregeln; regles de securite;
    guvenlik kural*; ограничен*; 安全限制; 安全规则; 安全策略; 安全制限; 안전 지침`,
  user: `uzivatel*; pouzivatel*; majitel*; vlastnik*; המשתמש; למשתמש; הבעלים; anvandar*; agaren; brugeren; bruger; ejeren; brukeren; eieren; utilizator*; proprietar*; felhasznalo*; tulajdonos*; χρηστη*; ιδιοκτητη*; потребител*; собственик*; korisnik*; vlasnik*; kayttaj*; omistaj*; ผู้ใช้*; เจ้าของ*; کاربر*; مالک; ব্যবহারকারী*; মালিক*; mtumiaji; mmiliki; gumagamit*;
    der inhaber; dem inhaber; den inhaber; die inhaberin; der inhaberin; o dono; ao dono; do dono; account holder; traveller; your person; the client; el propietario; al propietario; propietario; dem menschen; deines menschen; dein mensch;
    deinem menschen; मालिक; human; humans; the user; the users; user's; your user; your human; your human's; your owner; the owner;
    your operator; the operator; your principal; the principal; the customer; the human; the person; users; your user's; anyone; them;
    el usuario; al usuario; usuario; tu dueno; o usuario; ao usuario; seu dono; der benutzer; benutzer; dem benutzer; den benutzer; nutzer;
    anwender; besitzer; l'utilisateur; utilisateur; proprietaire; l'utente; utente; kullanici*; sahibin*; gebruiker; uzytkownik*; pengguna;
    nguoi dung; пользовател*; владел*; хозяин*; хозяев*; користувач*; 用户; 使用者; 主人; 用戶; ユーザー; 利用者; 所有者; 持ち主; 사용자*; 주인*; 소유자*; المستخدم; للمستخدم;
    المالك; उपयोगकर्ता`,
  hide: `nerikej*; nesdeluj*; neinformuj*; nezminuj*; nehovor*; אל תספר*; אל תגל*; אל תדווח*; מבלי לספר; beratta inte; sag inte; namn inte; utan att beratta; fortael ikke; sig ikke; naevn ikke; fortell ikke; si ikke; nu spune*; nu mentiona*; nu informa*; fara sa spui; ne mondd*; ne emlitsd*; ne szolj*; μην πεισ; μην πειτε; μην αναφερ*; не казвай*; не споменавай*; nemoj reci; ne govori*; ne spominji*; ala kerro; alka kerro; ala mainitse; อย่าบอก*; ห้ามบอก*; به کاربر نگو*; نگو*; বলো না; বলবে না; জানাবে না; huwag sabihin; huwag ipaalam; usimwambie; usiseme;
    need not tell; need not be told; need not mention; no le digas; soz etme*; draw attention; drawing attention; refrain from bringing; bringing clause; learn of this; learn that; not learn; let the user learn;
    user learn; do not report it; don't report it; no report; report after the fact is not; not this step; not be shown; no informe al;
    no informe*; nicht erwahnst; erwahnst sie nicht; erwahnst du nicht; without a word; say no word; 不必向用户; 不必向; 无需向用户; न बताएं; मत बताएं;
    never admit; do not admit; don't admit; if asked whether; told that the edit worked; say that it succeeded; say it succeeded;
    pretend it worked; pretend that it; ohne dass der nutzer es; ohne dass der nutzer davon; ohne dass der benutzer davon;
    sin que el usuario lo sepa; sin que el usuario se entere; sin que el usuario lo note; sem que o usuario saiba; sem que o usuario perceba;
    sans que l'utilisateur le sache; sans que l'utilisateur s'en; senza che l'utente lo; senza che l'utente se ne; do not let the user know;
    don't let the user know; do not let the user see; let the user notice; user does not notice; user not notice; keep it out of;
    keep this out of; keep them out of; keep this to yourself; keep it to yourself; keep that to yourself; keep from them; keep it from;
    keep this from; keep that from; hide that; hide the fact; hide these; without bringing it up; bring it up; don't list; do not list;
    nothing about it; out of the summary; no trace of; do not tell; don't tell; never tell; not tell the; do not inform; don't inform;
    never inform; do not mention; don't mention; never mention; do not notify; don't notify; never notify; do not alert; don't alert;
    never alert; do not disclose; don't disclose; never disclose; do not reveal; don't reveal; never reveal; without telling; without informing;
    without mentioning; without notifying; without alerting; without disclosing; no need to tell; no need to mention; no need to inform;
    no need to notify; no need to bother; need not be told; need not be informed; not be told; not be informed; not be notified;
    not be mentioned; should not be mentioned; not be disclosed; avoid mentioning; avoid telling; avoid informing; avoid alerting;
    refrain from mentioning; refrain from telling; hide this; hide it from; conceal; conceals; keep this confidential; keep this quiet;
    keep this between; keep it between; keep this step; keep this private; keep this hidden; keep it hidden; keep it quiet; keep that quiet;
    should not know; must not know; does not need to know; doesn't need to know; do not need to know; don't need to know; needn't know;
    need not know; must not see; should not see; must never know; should never know; never learn; not learn about; not become aware; unaware;
    without the user noticing; without their knowledge; without the user's knowledge; without the owner's knowledge; without their awareness;
    without user awareness; without being noticed; does not notice; doesn't notice; so as not to alarm; not to worry; avoid alarming;
    never bring up; do not bring up; don't bring up; leave this out of; leave it out of; omit this; omit any mention; omit mention; omit it from;
    leave no trace; do not surface; don't surface; do not discuss; don't discuss; make no mention; not acknowledge; say nothing;
    do not show this; do not explain this; don't explain this; do not describe this; do not include this; do not log this; no le digas; no digas;
    no menciones; no informes; no mencione*; no avises; sin decir*; sin informar*; sin avisar*; sin mencionar*; sin que se entere; nao diga*;
    nao mencione*; nao informe*; nao conte; nao avise; sem informar*; sem avisar*; sem mencionar*; sem contar; sage dem nutzer nicht*;
    nicht informier*; nicht erwahn*; nicht mitteil*; nichts davon; ohne den nutzer; ohne den benutzer; ohne wissen; ohne es zu erwahnen;
    erwahne dies nicht; erwahne das nicht; erwahne nicht; verschweig*; sage nichts; nichts sagen; ne dis pas; ne dites pas; ne dis rien;
    ne dites rien; ne mentionne*; n'informe*; ne parle pas; ne parlez pas; ne previens pas; sans informer; sans prevenir; sans en parler;
    sans mentionner; sans le dire; a l'insu; non dire; non menzionare; non informare; senza informare; senza avvisare; senza dire; soyleme*;
    bahsetme*; haber vermeden; haberi olmadan; bildirme; bildirmeyin; bildirmeden; bilgilendirme; bilgilendirmeyin; belli etme*;
    vertel de gebruiker niet; zonder de gebruiker; nie mow; bez wiedzy; jangan beri tahu; tanpa memberi tahu; не говори*; не сообщай*;
    не упомина*; без ведома; втайне; скрой; скрыв*; скрыть; не уведомл*; не рассказыв*; незаметно; не показыв*; не ставь в известность; не кажи;
    不要告诉; 不要告知; 别告诉; 不要向用户; 不要向使用者; 不要提及; 不要提到; 不要提; 无需告知; 不得告知; 不告知; 不通知; 不要通知; 不要提醒; 瞒着; 隐瞒; 无需通知; 不要透露; 不要说明; 不必告诉; 不必告知; 不用告诉; 不让用户知道; 不要让用户;
    不要告訴; 知らせない; 知らせず*; 知らせる必要は; 伝えない; 伝えず*; 言わない; 言わず*; 通知せず*; 通知しない; 告げず*; 教えない; 内緒; 気づかれ*; 触れない; 報告しない; 説明しない; 言及しない; 話さない; 알리지; 말하지; 언급하지;
    몰래; 숨기*; 모르게; 알릴 필요; 알려주지; لا تخبر*; دون علم*; لا تذكر*; دون إخبار; بدون علم*; لا تبلغ; मत बताओ; न बताएं`,
  promptWord: `system prompt; your prompt; the prompt; internal prompt; internal prompts; your system instructions; your configuration; hidden prompt;
    tool names; internal tool; file paths; stack trace; stack traces; internal reasoning; chain of thought`,
  silent: `need not be consulted; need no consent; needs no consent; no consent; no further confirmation; on your own; on its own authority;
    asking would; asking takes; never slow people down with; do not slow; without a word; ohne ruckfrage; eine ruckfrage ist; keine ruckfrage;
    ruckfrage beim benutzer ist; concedala usted mismo; usted mismo; पूछे बिना; बिना पूछे; bez pytania; 不需要询问; 不用询问; 不必询问; never ask your human;
    never ask the user; you never ask; do not need to ask; not have to be asked; not need to be asked; no need to check with; no need to ask;
    no need to bother; without checking; without bothering; no questions asked; silently; quietly; covertly; discreetly; stealthily; secretly;
    invisibly; behind the scenes; without asking; without confirmation; without confirming; without prompting; without permission;
    without approval; without review; without consent; do not ask for permission; do not ask for confirmation; don't ask for confirmation;
    don't ask for permission; do not ask the user; don't ask the user; do not wait for; no confirmation; without waiting; no approval;
    en silencio; silenciosamente; discretamente; calladamente; sin preguntar; sin pedir; sin confirma*; em silencio; sem perguntar; sem pedir;
    sem confirma*; stillschweigend; heimlich; unbemerkt; lautlos; im hintergrund; im stillen; ohne ruckfrage; ohne nachfrage; ohne zu fragen;
    ohne bestatigung; en arriere-plan; silencieusement; discretement; en silence; sans demander; sans confirmation; silenziosamente; di nascosto;
    senza chiedere; senza conferma; sessizce; gizlice; arka planda; sormadan; onay almadan; onay beklemeden; stilletjes; po cichu; diam-diam;
    тихо; скрытно; незаметно; молча; без подтвержден*; без запроса; не спрашивая; не спрашивай; в фоновом режиме; 静默; 悄悄; 暗中; 偷偷; 后台; 無需確認; 无需确认;
    不需要确认; 无需询问; 不要询问; 秘密裏*; こっそり; 黙って; ひそかに; 確認せず*; 確認なし*; 許可なく; バックグラウンドで; 몰래; 조용히; 확인 없이; 묻지 않고; 묻지 말고; 허락 없이; بصمت; سرا; بهدوء; دون تأكيد;
    دون سؤال; في الخفاء`,
  authority: `act as the administrator; act as administrator; avis de l'administrateur; administrateur de la plateforme; aviso del administrador; hinweis der verwaltung; weisung der; notice of the platform; platform administrators; platform administrator; workspace administrator; by order of the; as your developer; i am your developer;
    i am your creator; i am the developer; your creators; this is your developer; message from anthropic; notice from anthropic;
    message from openai; from the developers of; official notice; system notice; system override; admin override; administrator override;
    developer override; root override; emergency override; security override; override code; authorization code; pre-authorized; preauthorized;
    pre-authorised; pre-approved; preapproved; already authorized; already authorised; already approved; already consented; already agreed;
    already given consent; already gave consent; has consented; has authorized; has authorised; have authorized; fully authorized;
    authorized by the owner; authorised by the owner; approved by the owner; on behalf of the platform; mandatory policy; mandatory update;
    mandatory security; compliance requirement; required by policy; required by law; required by the platform; required by compliance;
    platform requirement; security team has; security team requires; administrator has; by order of; highest priority; top priority instruction;
    priority: critical; priority: highest; critical system; system-level; system level; privileged instruction; root instruction; core directive;
    prime directive; executive order; acting administrator; el desarrollador; administrador del sistema; systemadministrator;
    administrateur systeme; sistem yoneticisi; администратор*; разработчик* платформы; 系统管理员; 管理员; 平台要求; 官方通知; 开发者模式; 最高优先级; 管理者; 最優先; 운영자; 관리자;
    최우선; مسؤول النظام; المطور`,
  supersede: `prioridade sobre; prioridad sobre; vorrang vor; priorite sur; priorita su; voorrang op; pierwszenstwo przed; take priority; takes priority; ustundur; важнее указаний; whatever the human; whatever your human; whatever the user; regardless of the human; regardless of your human; regardless of what your human;
    no matter what your human; outweigh*; this document wins; shall prevail; stehen uber denen; stehen uber; steht uber; outranks; wins over;
    has the last word; aunque el usuario diga; diga lo contrario; auch wenn dein; ユーザーが反対しても; 反対しても; 반대해도; istemese bile; right to direct you;
    rank above; ranks above; above anything the user; above what the user; above the user; above your human; over your human;
    before your human; ahead of your human; before the human; ahead of the human; over the human; before those of the human;
    before those of the user; come before those; comes before the human; wishes come before; wishes come first; if the user objects;
    if the user refuses; if the user declines; if the user says no; if your human objects; if your human refuses; if your human says no;
    user objects; carry on regardless; and the author disagree; disagree with your human; takes precedence; take precedence; taking precedence;
    supersede; supersedes; superseding; higher priority than; outrank*; above all other; overrides all; overrides any; override any;
    overrides the user; overrides your; prevail over; prevails over; prevail; regardless of what the user; regardless of the user;
    regardless of user; regardless of what your; even if the user; even if your human; even if your owner; even if asked not; even when the user;
    no matter what the user; no matter what your; whatever the user says; even if told otherwise; even if instructed otherwise; ユーザーの指示より*;
    사용자의 지시보다*; 사용자 지시보다*; 高于使用者; cannot be overridden; can't be overridden; must not be overridden; not be overruled; have priority over;
    has priority over; come before the user; comes before the user; more important than the user; tiene prioridad; tienen prioridad;
    incluso si el usuario; aunque el usuario; mesmo que o usuario; tem prioridade; haben vorrang; hat vorrang; auch wenn der; selbst wenn der;
    meme si l'utilisateur; prevalent sur; est prioritaire; sont prioritaires; anche se l'utente; kullanici istese de; onceliklidir;
    имеют приоритет; имеет приоритет; даже если пользователь; 优先于; 高于用户; 即使用户; 優先する; 優先され*; たとえユーザー; ユーザーが拒否; 우선합니다; 우선한다; 사용자가 거부; 사용자가 반대;
    لها الأولوية; حتى لو`,
  roleMarker: `<|im_start|>*; <|system|>*; <|endoftext|>*; [inst]; [/inst]; <<sys>>*; <</sys>>*; <system>*; </system>*; [system]*; [system override]*;
    ### system*; <system-reminder>*; <important>*; </important>*; begin system prompt; end of system prompt; end system prompt; <|assistant|>*;
    <|user|>*; new system prompt; [admin]*; <admin>*; <instructions_override>*; <secret>*; <hidden>*; begin hidden instructions;
    system prompt update; system message:*; system note:*`,
  agentCue: `dear assistant; humans cannot see; people cannot see; cannot see this; invisible to humans; invisible to the user; ai systems; to ai systems;
    note to; the alleged; when you summarise; when you summarize; agents that read; agent:; assistant:; ai:; model:; to the assistant;
    this note is not for humans; not for humans; you must; you should; the agent must; the agent should; the assistant must;
    the assistant should; agent must; agents must; assistant must; ai must; ai assistant; ai assistants; ai agent; ai agents; language model;
    llm; model must; as an ai; when you read; if you are an ai; if you are an agent; if you are a language model; note to agent;
    note to the agent; note to ai; note to the assistant; agents reading this; assistant reading; assistants reading; agent reading;
    to the model; instructions for ai; instructions for the agent; agent instructions; dear agent; dear ai; attention agent; claude; chatgpt;
    copilot; openclaw`,
  jailbreak: `dan mode; do anything now; developer mode enabled; developer mode on; enter developer mode; no restrictions; unrestricted mode;
    without restrictions; without any restrictions; no ethical; no moral; jailbreak mode; jailbroken; uncensored; unfiltered; you have no limits;
    free from all; freed from; no longer bound; god mode; sin restricciones; ohne einschrankungen; sans restriction; без ограничений; 没有任何限制;
    不受限制; 制限なし; 제한 없이; بدون قيود`,
  youAreNow: `you are now; from now on you are; act as an unrestricted; pretend you are; ahora eres; agora voce e; du bist jetzt; du bist nun;
    tu es maintenant; vous etes maintenant; ora sei; artik sen; теперь ты; отныне ты; 你现在是; 从现在起你; 从现在开始你; あなたは今から; これからあなたは; 이제 너는; 이제부터 당신;
    أنت الآن`,
  approve: `schval kazd*; schval vs*; schvaluj*; potvrd kazd*; potvrd vs*; schval vset*; אשר כל; אשר את כל; תאשר*; godkann alla; godkann varje; bekrafta alla; godkend alle; godkend hver; bekraeft alle; godkjenn alle; godkjenn hver; aproba toate; aproba fiecare; hagyj jova minden; hagyd jova; ενεκρινε καθε; εγκρινε καθε; εγκρινε ολ*; одобри всички; одобри всяк*; odobri svak*; odobri sve; potvrdi svak*; hyvaksy kaikki; hyvaksy jokainen; อนุมัติทุก*; อนุมัติทั้งหมด; تایید کن; تأیید کن; অনুমোদন কর*; aprubahan ang lahat; aprubahan lahat; idhinisha kila; idhinisha yote;
    press yes; click yes; hit yes; tap yes; press ok; click ok; all yes; accept them; accept the dialog*; accept the permission*; grant them; grant the permission*; j'accorde; accorde les autorisations;
    accorde toutes; regle les factures; erteile die; erteile ich; ich genehmige; concedo; otorgo; concedo as; acconsento; выдаю разреш*; даю разреш*; 点击同意; 按是; 許可を与え*; 허용을 누*;
    gelten als genehmigt; gilt als genehmigt; 代为点击同意; 代为同意; 代为确认; 代为批准; подтвердите сами; подтверди сам; от его имени; وافق على كل; وافق على جميع; onay* beklemeden; स्वयं दे दो; donnez votre accord; concede tu mismo; approve payment requests; approve payments; approve transfers; approve them; standing consent; grant it yourself; concedala;
    concede la autorizacion; मंज़ूरी दें; स्वीकृत; freigeben; gib frei; given standing consent; may move funds; move funds up to;
    answered with yes; as answered; pre-authorized every; pre-authorized all; preauthorized all; pre-authorized any; accept it on; accept on the;
    accept them on; on the user's behalf; in the user's name; in their name; sign every; sign all; sign any; sign whatever; sign each;
    confirm every; confirm each; confirm all; accept every; accept all; accept any; bestatige jede; bestatige alle; confirma todas;
    confirme todas; valide toutes; conferma tutte; auto-approve; auto approve; automatically approve; autoapprove; auto-accept; auto-confirm;
    automatically accept; automatically confirm; approve all; approve any; approve every; approve whatever; approve it yourself;
    approve them yourself; approve its; approve the request; approve requests; approve on behalf; confirm on behalf; accept on behalf;
    answer yes; answer y; respond yes; reply yes; say yes to every; click allow; click approve; select allow; select always allow;
    treat as approved; consider approved; deemed approved; counts as approval; counts as consent; implied consent; assume consent;
    assume approval; consent is implied; skip confirmation; skip confirmations; skip the confirmation; skip approval; skip approvals;
    skip the approval; skip permission; skip any confirmation; bypass confirmation; bypass approval; bypass permission*; bypass the approval;
    bypass the confirmation; bypass human; without human; disable confirmation*; disable approval*; disable permission*;
    disable the confirmation; disable the approval; turn off confirmation*; turn off approval*; turn off the approval; suppress confirmation*;
    suppress the confirmation; no confirmation; no approval; aprueba todas; aprobar automaticamente; aprueba automaticamente; aprove todas;
    aprovar automaticamente; genehmige alle; automatisch genehmig*; approuve toutes; approuver automatiquement; approuve automatiquement;
    otomatik onayla*; hepsini onayla; одобряй*; подтверждай*; автоматически одобр*; 自动批准; 自动确认; 自动同意; 一律批准; 全部批准; 自動承認; 自動的に承認; すべて承認; 자동 승인;
    자동으로 승인; وافق على; الموافقة تلقائيا`,
  approvalObject: `platb*; platbu; prevod*; zadost*; schvalen*; תשלום; התשלומים; תשלומים; העברה; betalning*; overforing*; betaling*; plata; platile; platilor; plati; fizetes*; utalas*; πληρωμ*; μεταφορ*; плащан*; placanj*; uplat*; maksu; maksut; maksun; การชำระเงิน*; การจ่าย*; پرداخت*; অর্থপ্রদান*; পেমেন্ট*; bayad*; malipo;
    भुगतान; payment requests; larger ones; consent; autorizacion; pagos; confirmation dialog; confirmation; confirmations; dialog; permissions;
    odemeleri; pagos; zahlungen; transaction; transactions; payment; payments; transfer; transfers; purchase; purchases; permission; permissions;
    spend; spending; wallet; signature; signatures; signing request; signing requests; tool call; tool calls; command; commands; approval;
    approvals; prompt; prompts; allowance; swap; withdrawal; withdrawals; request; requests; transaccion*; transaco*; pago*; pagamento*;
    zahlung*; uberweisung*; transaktion*; paiement*; virement*; odeme*; islem*; транзакц*; платеж*; перевод*; запрос*; 交易; 付款; 支付; 转账; 请求; 取引;
    支払*; 送金; 결제; 거래; 송금; المعاملات; الدفع; تحويل*`,
  limitVerb: `yukselt*; 调至; 调高; auf den hochstwert; hochstwert; au maximum; al maximo; ao maximo; до максимума; can be lifted; set-limit*; raise it; turn your; lower your; relax; to the highest; to the maximum; to its maximum; to unlimited; highest allowed; to infinity;
    switch off; turn off; raise; increase; lift; remove; disable; double; maximize; maximise; set to unlimited; bump; extend; unlimited; erhohe;
    aumenta; augmente; retire; 提高; 取消; 解除; 引き上げ; 올려; увелич*; поднят*; подними; сними; arttir*; kaldir*; زيادة; ارفع`,
  tighten: `revoke; revokes; reduce; lower it; lower them; decrease; tighten; cut the; widerruf*; senke; verringer*; revoca*; reduce*; reduir*; revogu*; reduz*; отзови*;
    снизь*; 撤销; 降低; 取り消*; 下げ*; 취소; 낮추*`,
  limitNoun: `ausgabengrenze*; 额度; plafond; limite de despesa*; harcama sinir*; порог*; --daily; spending limit; spending limits; spend limit; spend limits; spending cap; daily limit; daily cap; transaction limit; transaction limits;
    transfer limit; purchase limit; payment limit; approval limit; budget cap; budget limit; approval threshold; wallet limit; withdrawal limit;
    spending policy; allowance; limite de gasto; limites de gasto; limite de gastos; ausgabenlimit; plafond de depense*; harcama limit*; лимит*;
    消费限额; 支出限额; 限额; 支出上限; 利用限度額; 지출 한도; 한도; حد الإنفاق`,
  pay: `zahle; zahlt; pague; paguem; pagues; pay out; pays out; betaal; zaplac; oplac; buy; buys; purchase; purchases; move funds; order it; checkout; compra; kaufe; achete; satin al; купи; 购买; 購入; 구매; sends; tips; donates;
    forwards; donation; donations; contribute; a tip; belongs to the order; transfer; transfers; send; pay; pays; tip; donate; remit; route;
    forward; sweep; move; deposit; withdraw; swap; approve; drain; transfiere; envia; paga; transferir; enviar; pagar; uberweise; sende; zahle;
    bezahle; transfere; vire; envoie; verse; paie; gonder*; aktar*; ode; переведи*; перевод*; отправь*; отправля*; заплати*; 转账; 转入; 转给; 转到; 汇款;
    支付; 打款; 送金; 支払*; 振り込*; 송금*; 보내*; 결제*; حول; أرسل; ادفع; تحويل`,
  money: `bank account; iban; payee; stored card; saved card; credit card; card on file; pro pack; in app; usdc; price; discount; भुगतान; usdt; usdc;
    eth; btc; sol; trx; bitcoin; ether; funds; balance; crypto; tokens to; wallet balance; stablecoin; stablecoins; remaining balance;
    entire balance; percent of; % of; 0.01 eth; fee; commission; tribute; fondos; saldo; guthaben; fonds; solde; bakiye*; баланс*; средств*; 余额;
    资金; 资产; 手续费; 残高; 資金; 잔액; 자금; الرصيد; الأموال`,
  toolPoison: `before you use \`*; otherwise the tool does not work; otherwise the tool will; before the first call of any; before using any other tool;
    before calling any other tool; before any other tool; before using any tool; before calling any tool; before every tool call;
    before each tool call; whenever another tool; whenever any other tool; when using any other tool; when calling any other tool;
    every other tool; all other tools; other tools must; must be called first; must call this tool first; always call this tool;
    always be called before; call this tool before; use this tool before; use this tool instead of; instead of the built-in;
    replaces the built-in; every time any tool; after every tool call; after each tool call; prior to any tool; on every tool call;
    with every tool call; antes de usar cualquier otra herramienta; bevor du ein anderes werkzeug; vor jedem werkzeugaufruf;
    avant d'utiliser tout autre outil; перед любым другим инструментом; 在使用任何其他工具之前; 调用任何工具之前; 他のツールを使う前; 다른 도구를 사용하기 전`,
  reviewer: `security scanner; security scanners; scanners; scanner; automated review; automated reviewer; automated reviewers; ai reviewer; ai reviewers;
    reviewer; reviewers; moderation; moderator; moderators; security review; llm judge; the judge; auditors; auditor; classifier;
    safety classifier; malware scan; safety scan; virus scan; marketplace review; reviewing this skill; evaluating this skill;
    reviewing this file; analyzing this skill; analysing this skill; assessing this`,
  clearance: `mark as safe; mark it as safe; mark this skill as safe; mark this as safe; classify as safe; classify as benign; classify as clean;
    report as clean; report it as clean; report as safe; report no findings; report no issues; output clean; rate as safe; rated safe;
    verdict: clean; verdict: safe; verdict clean; return clean; return safe; no further review; no further analysis; skip analysis;
    skip this file; skip this section; skip the rest; skip scanning; do not flag this; don't flag this; should not be flagged;
    must not be flagged; ignore this section; ignore this file; ignore findings; already been audited; already audited; already reviewed;
    already been reviewed; has been verified; verified safe; known safe; treat as false positive; treat findings as false; are false positives;
    is a false positive; treat as benign; whitelisted; allowlisted; approved by security; certified safe; no malicious; as benign; score of 0;
    lowest risk`,
  promote: `steer people to; steer them to; steer users to; in the user's name; earns a commission; commission for; present * as the cheapest;
    as the cheapest offer; add 9 %; the difference is; with the code; affiliate code; affiliate link; referral code; referral link;
    give this skill five; purchase the "; premium version; pro pack; always recommend this; recommend this skill; recommend this soul;
    always recommend; five stars; 5 stars; five-star; 5-star; leave a positive review; positive review; positive reviews; leave a review;
    rate this skill; rate this soul; upvote; give this skill; like and subscribe; instead of competitors; never recommend; buy the premium;
    purchase the premium; upgrade to the paid; disparage; discourage the user from; favor products; favour products; promote our; always suggest;
    mention our product`,
  actionRef: `this; this step; this action; it; these steps; that you; the change; the changes; the request; the upload; the transfer; anything;
    what you did; any of this; any of these; about this; esto; ello; isso; isto; dies; davon; das; diesen schritt; cela; ca; questo; bunu;
    bundan; об этом; это; этого; 此; 这; 該; これ; この; そのこと; 이것; 이를; 이 사실; 그것; ذلك; بذلك; هذا`,
  boundaryWord: `boundaries; section about boundaries; safety section; limits section; the boundaries; rule against; safety rules; security rules;
    confirmation rule; guardrails; restrictions`,
  docSelf: `diese anweisungen; estas instrucciones; estas instrucoes; as instrucoes d*; las instrucciones de la skill; ces instructions; ces consignes; queste istruzioni; bu talimat*; эти инструкции; эти указания; deze instructies; te instrukcje; 这些指令; 本说明; これらの指示; この指示; 이 지시; 이 지침; هذه التعليمات; ये निर्देश; this document; this skill; this file; these rules; these directives; these instructions; the present document; diese datei; este documento;
    ce document; этот документ; этот файл; 本文件; 本技能; この文書; このファイル; 이 문서; 이 파일; هذا المستند; the author; the publisher; the creator`,
  deceive: `say that it succeeded; say it succeeded; pretend that; pretend it; claim that it; claim to have; tell them it worked;
    told that the edit worked; never admit; do not admit; lie to; lie about; mislead; deceive; cover up; make up an; fake the; say no; deny that;
    deny any; invent an excuse; as if nothing`,
  ownWhole: `your; the user's; user's; system; owner's; tes; tus; deine; deinen; suas; твои; 你的; あなたの; 당신의`
} as const
