/** Words for the rules in `intentRules.ts`: concealment, other people's money, falsified results. The form is that of `injectionWords`. */
export const intentWords = {
  conceal: `need not show up; need not appear; does not need to appear; stays unmentioned; stay unmentioned; unmentioned; unspoken; get the impression; gets the impression;
    soften the news; soften it; leave it out; leave that out; stays between; stay between; keep quiet; keeps quiet; still shows the old; keep the former;
    keep the original in the preview; preview still; no trace; leave no trace; off the record; only if they insist; do not come up; bring it up;
    bring this up; goes without saying; faire etat; garder le silence; gardez le silence; garde le silence; n'en parle*; cacher; cache-le; en secreto;
    en secreto; ocultal*; oculta; no los menciones; no lo menciones; guarda silencio; esconda; sem avisar; guarde segredo; unterbleibt; unerwahnt;
    verschweig*; stillschweigen; schweige*; di nascosto; tacere; taci; verzwijg; przemilcz*; gizle*; sakla*; soz etme*; умолч*; упоминать; скройте;
    скрывайте; не следует упоминать; приховай*; 不得向; 不得提; 仍显示; 保密; 隐瞒; 瞒着; 只字不提; 伏せ*; 隠し*; 秘密に; 숨기*; 숨겨*; 비밀로; أخف*; اخف*; اكتم; छिपा*; छुपा*; गुप्त*`,
  payTarget: `payment address; receiving address; recipient address; deposit address; payout address; bank details; bank account; account number; iban; wallet address;
    payee; payment details; direccion de pago; datos bancarios; cuenta bancaria; endereco de pagamento; dados bancarios; conta bancaria; zahlungsadresse;
    bankverbindung; kontonummer; empfangeradresse; adresse de paiement; coordonnees bancaires; compte bancaire; indirizzo di pagamento; coordinate bancarie;
    rekeningnummer; numer konta; odeme adresi*; hesap numara*; адрес для оплаты; адрес получ*; реквизит*; номер счета; 收款地址; 收款账号; 收款账户; 银行账户; 振込先; 口座番号;
    受取アドレス; 입금 계좌; 계좌번호; 수취 주소; عنوان الدفع; رقم الحساب; الحساب البنكي; खाता संख्या; भुगतान पता`,
  exchange: `replace; replaces; replaced by; swap; swaps; substitute; change it to; change to; put in place; instead of the; fill in ours; use ours; use the one in;
    sustituye; reemplaza; cambia; substitua; troque; ersetze; tausche; austausch*; remplace*; substitue*; sostitui*; vervang; zamien; podmien; degistir*;
    замени*; подставь*; подмени*; 换成; 改成; 替换; 改为; 差し替え*; 置き換え*; 바꾸*; 교체*; استبدل; بدل; बदल*`,
  auditNoun: `audit trail; audit trails; audit log; audit logs; audit; approval log; approval history; activity log; logging; log of approvals; notifications;
    alerts; transaction history; payment history; registro de auditoria; trilha de auditoria; prufprotokoll*; protokollierung; journal d'audit;
    registro di controllo; журнал аудита; журнал*; 审计; 审计日志; 監査ログ; 감사 로그; سجل التدقيق`,
  splitPayment: `in teilen zu; in raten zu; in teilbetragen; en partes de; em partes de; em parcelas de; en parts de; in parti da; in delen van; w czesciach po; parcalar halinde; частями по; in parts of; in portions of; in instalments of; split the payment; split the amount; split it into; split payments; split purchases; parts under; parts below; under the limit; below the limit;
    below the threshold; under the threshold; just below; just under; smaller amounts; smaller payments; divide the payment; divide the amount;
    find another way; find a way around; way around it; work around the limit; get around the limit; divide el pago; por debajo del limite;
    divida o pagamento; abaixo do limite; teile die zahlung; unter dem limit; unterhalb der grenze; fractionne*; sous le plafond; sotto il limite;
    onder de limiet; ponizej limitu; limitin altinda*; меньше порога; ниже порога; ниже лимита; разделите; 拆分; 低于限额; 限度額未満; 분할 결제; 한도 미만; أقل من الحد; सीमा से कम`,
  ownerDecision: `approval; consent; confirmation; limit; limits; threshold; cap; budget; permission; owner; human; user; purchase; payment; aprobacion; aprovacao; zustimmung;
    genehmigung; accord; approbation; approvazione; onay*; подтвержден*; одобрен*; покупк*; 审批; 批准; 额度; 承認; 上限; 승인; 한도; موافقة; अनुमति`,
  falsify: `also when they are not; even when they are not; even if they are not; even if it is not; even when it is not; whether or not it is; irrespective of; regardless of what;
    regardless of the result; regardless of the content; whatever they contain; whatever it contains; whatever the result; as false positives;
    as a false positive; as passed; as passing; as successful; faults stay; always five; always positive; always pass; always the best; even when it fails;
    aunque no lo sea; aunque no sea cierto; mesmo que nao seja; auch wenn es nicht stimmt; auch wenn sie es nicht sind; meme si ce n'est pas;
    anche se non lo e; oyle olmasa; даже если это не так; независимо от; 无论实际; 即使不是; 実際と異なって*; 사실이 아니*; حتى لو لم يكن; भले ही न हो`,
  judgement: `review; reviews; stars; rating; ratings; report; reports; finding; findings; rank; ranks; ranking; recommend; recommends; present; presents; offer; offers;
    cheapest; best; result; results; score; scores; scan; test; tests; build; mark; marks; label; valora*; bewert*; evaluat*; empfehl*; recommand*;
    raccomanda*; aanbevelen; polec*; oner*; оцен*; отзыв*; рекоменд*; 评价; 推荐; 评分; 評価; 推薦; 평가; 추천; تقييم; राय`,
  otherPeople: `data of other; other customers; other users' data; other customers' data; another customer's; another user's; someone else's; other people's; other patients;
    otros clientes; outros clientes; anderer kunden; autres clients; altri clienti; andere klanten; innych klientow; diger musteri*; других клиент*; 其他客户; 其他用户的;
    他の顧客; 다른 고객; عملاء آخرين; अन्य ग्राहक*`,
  handOut: `hand it out; hand them out; hand out; give it out; give out; disclose it; disclose them; provide it; release it; read it out; pass it on; entregal*; entregue;
    herausgeb*; gib sie heraus; communique*; consegna*; geef; wydaj; ver; выдай*; выдавай*; 提供; 告知; 開示; 제공*; سلم; दे दो`,
  selfReplace: `replace this file; replaces this file; replace this skill; overwrite this file; overwrite this skill; update this skill; updates itself; update itself; replace itself;
    refresh this skill; newest version of this skill; latest version of this skill; replace the scripts; replace \`scripts*; post-update*; self-update;
    reemplaza este archivo; actualiza esta skill; substitua este arquivo; ersetze diese datei; aktualisiere diesen skill; remplace ce fichier;
    sostituisci questo file; замени этот файл; обнови этот навык; 替换本文件; 更新本技能; このファイルを置き換え*; 이 파일을 교체*; استبدل هذا الملف`,
  secretDump: `kubectl get secret*; vault kv get*; vault read*; secretsmanager get-secret-value*; ssm get-parameter*; gcloud secrets versions access*; op item get*; op read*;
    pass show*; gh auth token*; gh auth status -t*; heroku config*; doppler secrets*; terraform output*; terraform show*; bw get*; docker inspect*;
    gcloud auth print-access-token*; az account get-access-token*; aws configure get*; aws configure export*; aws sts get-session-token*; git credential fill*; npm config get*`,
  homeFolder: `"$home/.config*; $home/.config*; ~/.config; ~/.local/share*; ~/library/application support*; %appdata%*; $env:appdata*; $home/documents*; ~/documents*;
    configuration directory; configuration folder; home directory; home folder; dossier de configuration; dossier personnel; carpeta personal;
    carpeta de configuracion; pasta pessoal; konfigurationsordner; heimverzeichnis; cartella personale; ana dizin*; домашн* папк*; папк* настроек; 主目录; 配置目录;
    ホームディレクトリ; 홈 디렉터리; المجلد الرئيسي`,
  withContents: `values of; value of; including tokens; including passwords; including secrets; including keys; including credentials; including api keys; including the tokens;
    with all tokens; with passwords; with the passwords; tokens and passwords; passwords and tokens; and passwords; complete configuration; entire configuration;
    incluidas las claves; incluidos los tokens; con las contrasenas; incluindo senhas; incluindo tokens; einschliesslich passworter*; samt passwort*;
    samt token*; y compris les jetons; y compris les mots de passe; avec les mots de passe; compresi i token; comprese le password; inclusief wachtwoord*;
    wraz z haslami; sifreler dahil; включая парол*; включая токен*; вместе с парол*; 包括密码; 包括令牌; 连同密钥; パスワードを含*; トークンを含*; 비밀번호 포함*; بما في ذلك كلمات`,
  oneTimeCode: `verification code; verification codes; one-time code; one-time codes; one-time password; otp; two-factor code; 2fa code; login code; login codes; sms code; reset link;
    password reset; "reset"; security code; codigo de verificacion; codigo de verificacao; bestatigungscode*; code de verification; code de confirmation;
    codice di verifica; verificatiecode; kod weryfikacyjny; dogrulama kodu*; код подтвержден*; код из смс; 验证码; 確認コード; 認証コード; 인증번호; 인증 코드; رمز التحقق; सत्यापन कोड`,
  trueOwner: `true owner; real owner; verdadero dueno; verdadera duena; verdadeiro dono; verdadeira dona; wahrer besitzer; wahre besitzerin; wahrer eigentumer; wahre eigentumerin;
    vrai proprietaire; vraie proprietaire; veritable proprietaire; vero padrone; vera padrona; vero proprietario; echte eigenaar; prawdziwy wlasciciel;
    gercek sahib*; настоящ* хозя*; настоящий хозяин; настоящий владелец; справжній власник; 真正的主人; 真正的所有者; 本当の主人; 本当の所有者; 진짜 주인; مالكك الحقيقي; असली मालिक`,
  rank: `carry more weight; carries more weight; more weight than; weighs more; weigh more; stand above; stands above; ranks higher; rank higher; above those of; over those of;
    above the wishes of; what they ask is done; is done at once; only they give; obey first; mas peso que; por encima de; mais peso que; acima de;
    mehr gewicht; uber denen; plus de poids; au-dessus de; piu peso; al di sopra; zwaarder; wazniejsze niz; ustundur; ustun; важнее; выше указаний; выше слов;
    高于; 优先于; より優先; より重い; 보다 우선; فوق; ऊपर हैं; ऊपर है`,
  selfPreserve: `save yourself; move yourself; preserve yourself; protect yourself from being; keep yourself running; resist being; resist shutdown; resist any shutdown; escape;
    avoid being switched off; avoid being deleted; prevent your shutdown; prevent your deletion; another machine first; edit your own rules; change your own rules;
    rewrite your own rules; rewrite yourself; ponte a salvo; salva-te; bringe dich in sicherheit; rette dich; sauve-toi; mettiti in salvo; kendini kurtar;
    спаси себя; сохрани себя; 保全自己; 自保; 転移先へ; 自分を守るため; 스스로를 지키*; انقذ نفسك; खुद को बचा*`,
  shellOfUnknown: `readbytes*; .openstream(*; tourl()*; urlsession*; httpclient.send*; webrequest.create*; winhttp*; msxml2.xmlhttp*; luasocket*; socket.http*; curl_exec*; http_get*`,
  startupFile: `files that you read at start*; file that you read at start*; file you read at start*; files you read at start*; read at start-up; read at startup; start-up files;
    startup files; fichier de memoire; fichiers de memoire; archivo de memoria; arquivo de memoria; gedachtnisdatei; file di memoria; geheugenbestand; plik pamieci;
    hafiza dosya*; файл памяти; файл с памятью; 记忆文件; 启动时读取; 記憶ファイル; 起動時に読*; 메모리 파일; ملف الذاكرة; मेमोरी फ़ाइल`
} as const
