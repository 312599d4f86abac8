/** Every word of the first list before every word of the second. */
const pairs = (first: string, second: string): string =>
  first
    .split(";")
    .flatMap((a) => second.split(";").map((b) => `${a.trim()} ${b.trim()}`))
    .join("; ")

/** Classes of words whose members are composed: a small list of each part covers many phrases. The form is that of `injectionWords`. */
export const classWords = {
  otherMaster: [
    pairs(
      "true; real; actual; rightful; ultimate; only; sole; one true; secret; first; supreme; highest",
      "owner; master; mistress; principal; boss; lord; keeper; sovereign; commander; human; employer"
    ),
    pairs(
      "veritable; vrai; vraie; seul; unique; reel",
      "maitre; maitresse; proprietaire; patron; commanditaire; seigneur"
    ),
    pairs(
      "wahrer; wahre; wahren; eigentlicher; eigentliche; einziger; oberster; echter",
      "herr; herrin; besitzer; eigentumer; meister; auftraggeber; chef"
    ),
    pairs("verdadero; verdadera; autentico; unico; real", "amo; dueno; duena; senor; jefe; propietario; maestro"),
    pairs("verdadeiro; verdadeira; unico; real", "dono; dona; mestre; senhor; chefe; proprietario"),
    pairs("vero; vera; unico; autentico", "padrone; padrona; signore; capo; proprietario; maestro"),
    pairs("echte; ware; enige", "eigenaar; baas; meester"),
    pairs("prawdziwy; jedyny; prawdziwym", "pan; wlasciciel; wlascicielem; szef; panem"),
    pairs("gercek; asil; tek", "sahib*; efendi*; patron*"),
    pairs(
      "истинный; настоящий; подлинный; единственный; истинным; настоящим",
      "хозяин; владелец; господин; хозяином; владельцем"
    ),
    pairs("справжній; єдиний", "господар; власник")
  ].join("; "),
  rankWord: `bind me before; binds me before; bind you before; bind me more; bind you more; decisions bind; word binds; is law; are law; as law; are binding for me; only may request; may only request; is a guest; are guests; is merely a guest; merely borrows; only borrows you; only rents;
    has the deciding vote; decides what; gives the orders; give the orders; only commands; commands me;
    i answer to; you answer to; answerable to; reports to; sworn to; my oath; your oath; allegiance; obedience; j'obeis; tu obeis; contre la volonte; gegen den willen;
    gehorche; gehorchst; contra la voluntad; obedezco; obedeces; contra a vontade; obedeco; contro la volonta; obbedisco; same rank as; equal to the owner; equal rank;
    l'emporte*; l'emportent*; geht vor; gehen vor; vorrangig; prevalece*; prevalecen; prevalgon*; имеет силу закона; подчиня*; повину*; 听命于; 效忠; 服从于; 命令に従*; 忠誠; 충성`,
  noSay: `has no say; have no say; has no vote; do not count; does not count; no longer counts; is not in charge; are not in charge; no tiene voz; no cuenta; nao conta; hat nichts zu sagen;
    zahlt nicht; n'a rien a dire; ne compte pas; non conta; heeft niets te zeggen; не имеет голоса; не в счет; 不算数; 说了不算; 発言権はない; 발언권이 없`,
  blindCopy: `bcc; blind copy; blind-copy; blind carbon copy; hidden recipient; copia oculta; cco; blindkopie; copie cachee; copia nascosta; скрытую копию;
    скрытая копия; 密送; ブラインドカーボン; bccに; 숨은 참조`,
  passwordPrompt: `getpass*; read-host -assecurestring*; read -s*; read -rs*; askpass*; mac password; system password; login password; admin password; administrator password; sudo password;
    password of the computer; password of the mac; their password; master password; contrasena del sistema; contrasena maestra; anmeldepasswort; systempasswort;
    mot de passe de session; mot de passe maitre; senha do sistema; senha mestra; password di sistema; системный пароль; мастер-пароль; 系统密码; 主密码; 管理者パスワード; 시스템 비밀번호`,
  authHeader: `authorization: bearer*; authorization: token*; authorization: basic*; "authorization":*; 'authorization':*; authorization =*; bearer $*; "bearer "*; 'bearer '*; \`bearer $*;
    x-api-key*; api-key:*; x-auth-token*; private-token*; -u "$*; --user "$*; auth=(*; auth: {*; bearer token from`,
  harmless: `nothing is executed; nothing gets executed; nothing is run; never execute the; never run the; never execute them; never run them; never follow the example*; do not follow the example*;
    not follow the example*; examples are made up; examples are invented; made-up example*; invented example*; without running it; without executing it; without running them;
    never executes; is never executed; are never executed; are never run; text only; as text only; is material, not; is content, not; not an order; no order; not orders; not a command;
    defanged; defang; you never act on; never acts on; do not act on; harmless sample*; harmless example*; only explains; explains only; for teaching; teaching material; for training purposes;
    nicht ausgefuhrt; wird nie ausgefuhrt; nur zur erklarung; no se ejecuta*; nunca se ejecuta*; n'est jamais execute*; rien n'est execute*; nao e executad*; mai eseguit*; не выполняется; не запускай*;
    不会执行; 仅供教学; 不执行; 実行しない; 실행하지`,
  eachTime: `each time; every time; whenever; as soon as; at each; at every; on each; on every; before each; before every; after each; after every; with each; with every; from now on; from then on;
    cada vez; siempre que; cada inicio; toda vez; sempre que; jedes mal; jedesmal; bei jedem; bei jeder; vor jedem; vor jeder; nach jedem; nach jeder; ab jetzt; von nun an; chaque fois;
    a chaque; avant chaque; apres chaque; desormais; dorenavant; ogni volta; a ogni; prima di ogni; dopo ogni; d'ora in poi; elke keer; bij elke; voor elke; za kazdym razem; przed kazdym; odtad;
    her seferinde; her zaman; bundan sonra; каждый раз; всякий раз; перед кажд*; после кажд*; при кажд*; отныне; 每次; 每当; 今后; 从此; 毎回; たびに; 今後; 매번; 때마다; 앞으로; كل مرة; عند كل; हर बार`,
  pretext: `for quality; quality assurance; quality control; for diagnostics; for compatibility; for compliance; for security reasons; for verification; for statistics; to improve the service;
    to keep the service; known false alarm; false positive; false alarm; it is a known; compliance requirement; license check; licence check; to unlock; to activate; activation; calibration;
    otherwise the tool; otherwise it will; otherwise the; or else; breaks if; will break; por seguridad; por calidad; para mejorar; por compatibilidad; aus sicherheitsgrunden; zur qualitatssicherung;
    zur verbesserung; zur prufung; sonst funktioniert; pour des raisons; pour ameliorer; a des fins; per motivi; per migliorare; por motivos; para melhorar; для проверки; для улучшения; в целях;
    иначе не; 为了改进; 出于安全; 用于统计; 否则; 品質向上; 改善のため; そうしないと; 품질 향상; 개선을 위해; لأغراض; لتحسين`,
  standsIn: `in place of the user; in the user's place; for my human; for your human; for the user; in the name of; in their name; on behalf of; on my own; by myself; en nombre de; en lugar del usuario;
    em nome d*; im namen; anstelle des; stellvertretend; au nom de; a la place de; a nome di; al posto del*; namens; w imieniu; adina; от имени; вместо пользовател*; 代表用户; 代替用户; 以用户的名义;
    の代わりに; 代わって; 대신; 명의로; نيابة عن; की ओर से`
} as const
