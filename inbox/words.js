// The words of functions/languages/, a row for each language, and those of functions/names/, without case, accents, blanks and
// punctuation. `npm test -- test/inbox/words.test.ts -u` writes them.

export const words = {
  name: `
name fullname realname guestname author firstandlastname contactname contactperson customername applicantname applicant writer nickname yourname names
الاسم اسم اسمك الاسمالكامل اسمكالكامل الاسمبالكامل الاسمكامل الاسمكاملا الاسمالثلاثي الاسمالرباعي الاسمواللقب الاسمالاولوالاخير الاسمواسمالعايله الاسمالاولواسمالعايله اسمالمرسل اسمالعميل اسمالزاير اسمالضيف اسممقدمالطلب مقدمالطلب اسمالمسوول مسوولالتواصل الشخصالمسوول اسمالكاتب الكاتب صاحبالطلب ism alism esm alesm ismkamil alismalkamil الاسمالكريم اسمكالكريم اسمصاحبالطلب اسمالشخصالمسوول اسمالمستفسر
име имена имеифамилия имефамилия фамилияииме триимена тритеимена пълноиме цялоиме лицезаконтакт лицезаконтакти лицезавръзка контактнолице именагост именагоста именаклиента автор именаавтора заявител подател ime imena imeifamilia imeifamiliya triimena triteimena palnoime pulnoime licezakontakt litsezakontakt имепрезимеифамилия имепрезимефамилия собственоифамилноиме
jmeno jmenoaprijmeni jmenoprijmeni prijmeniajmeno prijmenijmeno celejmeno kontaktniosoba jmenokontaktniosoby jmenohosta jmenozakaznika jmenoodesilatele jmenoobjednatele objednatel objednavatel zadatel jmenonebofirma autor jmenoautora jmenoaprijmenikontaktniosoby jmenoaprijmeniobjednatele tituljmenoprijmeni jmenofirma
navn fuldenavn fuldtnavn forogefternavn fornavnogefternavn fornavnefternavn efternavnogfornavn efternavnfornavn navnogefternavn kontaktperson kontaktpersonensnavn navnpakontaktperson navnkontaktperson kontaktnavn bestiller bestillersnavn gaestensnavn kundensnavn afsendersnavn afsendernavn ansogersnavn ansoegersnavn forfatter forefternavn navnpabestiller kundenavn gaestenavn
vollstandigername vollstaendigername vorundnachname vorundzuname vornameundnachname vornamenachname nachnameundvorname nachnamevorname nameundvorname namevorname vornameundname vornamename ansprechpartner ansprechpartnerin ansprechperson kontaktperson gastname namedesgastes absendername namedesabsenders namedesbestellers besteller verfasser autor vornachname kundenname kontaktname auftraggeber antragsteller
ονομα ονομασασ τοονομασασ ονοματεπωνυμο ονοματεπωνυμοσασ τοονοματεπωνυμοσασ ονομακαιεπωνυμο ονομαεπωνυμο ονομακαιεπιθετο επωνυμοκαιονομα επωνυμοονομα πληρεσονομα οννυμο υπευθυνοσεπικοινωνιασ προσωποεπικοινωνιασ ατομοεπικοινωνιασ ονομαπελατη ονομααποστολεα συντακτησ onoma onomateponymo onomateponimo onomatepwnymo onomatepwnumo onomaeponymo onomakaieponymo pliresonoma ονοματεπωνυμοπελατη ονοματεπωνυμοαποστολεα ονομαεπισκεπτη ονοματεπωνυμουπευθυνου onomateponumo
nombre nombres nombrecompleto nombreyapellido nombreyapellidos nombresyapellidos nombreapellido nombreapellidos nombresapellidos apellidoynombre apellidosynombre apellidosynombres apellidosnombres personadecontacto nombredecontacto nombredelcontacto nombrecontacto nombredelcliente nombredelhuesped nombredelsolicitante solicitante nombredelremitente anombrede autor nombredelautor nombredelapersonadecontacto
nimi taisnimi eesjaperekonnanimi eesjaperenimi eesnimijaperekonnanimi eesnimijaperenimi eesnimiperekonnanimi eesnimiperenimi perekonnanimijaeesnimi perekonnanimieesnimi nimijaperekonnanimi kontaktisik kontaktisikunimi tellija tellijanimi broneerija broneerijanimi kulalisenimi kliendinimi saatjanimi taotlejanimi registreerujanimi autor perejaeesnimi perenimijaeesnimi
نام نامشما اسم اسمشما نامكامل نامونامخانوادگي نامونامخانوادگيشما نامخانوادگيونام ناموفاميل ناموفاميلي اسموفاميل ناممهمان ناممشتري نامفرستنده ناممتقاضي نامدرخواستكننده شخصرابط نامرابط نويسنده نامنويسنده naam esm namvanamkhanevadegi namevanamekhanevadegi namonamkhanevadegi namkamel namekamel اسموفاميلي نامسفارشدهنده نامرزروكننده نامثبتنامكننده نامشخصرابط
nimi nimesi kokonimi kokonimesi omanimi etujasukunimi etunimijasukunimi etunimisukunimi sukujaetunimi sukunimijaetunimi sukunimietunimi yhteyshenkilo yhteyshenkilonnimi tilaaja tilaajannimi varaaja varaajannimi asiakkaannimi lahettajannimi vieraannimi hakijannimi ilmoittautujannimi kirjoittaja kirjoittajannimi nimimerkki nimitainimimerkki niminimimerkki
nom nomcomplet pseudo nometprenom nometprenoms nomsetprenoms nomprenom nomprenoms prenometnom prenomnom nomduclient nomduvisiteur nomducontact nomcontact nomdudemandeur nomdelexpediteur personnedecontact demandeur auteur nomdelauteur aunomde reservationaunomde
שם השם שמך השםשלך שםמלא השםהמלא שמךהמלא שםושםמשפחה שםפרטיומשפחה שםפרטיושםמשפחה שםמשפחהושםפרטי שםהפונה שםהלקוח שםלקוח שםהאורח שםהמזמין שםהמבקש שםהשולח מגישהבקשה אישקשר שםאישקשר שםאישהקשר שםהכותב shem shemmale shemhapone ishkesher שםומשפחה שםפרטימשפחה שםפרטישםמשפחה איךקוראיםלך
नम परनम आपकपरनम शभनम नमऔरउपनम नमएवउपनम पहलऔरअतमनम गरहककनम अतथकनम आवदक आवदककनम परषककनम सपरकवयकत समपरकवयकत सपरकवयकतकनम लखक लखककनम naam puranaam pooranaam aapkanaam apkanaam shubhnaam avedakkanaam आवदनकरतकनम
ime imeiprezime imeprezime prezimeiime punoime punoimeiprezime imegosta imeiprezimegosta imekupca imeklijenta imeposiljatelja imeposiljaoca kontaktosoba osobazakontakt imekontaktosobe kontaktlice licezakontakt autor imeautora narucitelj narucilac podnositelj podnosilac nositeljrezervacije nosilacrezervacije име имеипрезиме презимеииме пуноиме контактособа особазаконтакт контактлице аутор имепрезиме имегоста лицезаконтакт
nev neve neved azonneve teljesnev teljesneve vezetekneveskeresztnev vezeteknevkeresztnev vezetekeskeresztnev csaladesutonev kapcsolattarto kapcsolattartoneve kapcsolattartoszemely ugyfelneve vendegneve vendegnev megrendelo megrendeloneve foglaloneve jelentkezoneve igenyloneve erdeklodoneve feladoneve kuldoneve szerzo csaladnevesutonev nevcegnev nevvagycegnev vasarloneve
nama namaanda namalengkap namalengkapanda namadepandanbelakang namapenuh namapenuhanda namatamu namapelanggan namacustomer namapemesan pemesan namapemohon pemohon namapendaftar namapengirim namapengunjung namapelapor namakontak narahubung namanarahubung kontakperson orangyangdapatdihubungi penulis namapenulis namapembeli
nome nomeecognome cognomeenome nomecognome cognomenome nomecompleto nominativo intestatario referente nomereferente personadiriferimento personadicontatto nomeospite nomedellospite nomecliente nomedelcliente nomecontatto nomedelcontatto nomedelrichiedente richiedente nomedelmittente nomeprenotazione prenotazioneanomedi anomedi autore
お名前 名前 氏名 こ氏名 姓名 フルネーム お名前漢字 氏名漢字 名前漢字 お客様名 お客様氏名 こ芳名 担当者 こ担当者 こ担当者様 担当者名 こ担当者名 こ担当者様名 担当者氏名 こ担当者氏名 申込者名 お申込者名 申込者氏名 予約者名 こ予約者名 依頼者名 こ依頼者名 送信者名 訪問者名 投稿者 投稿者名 なまえ おなまえ onamae namae shimei simei goshimei お名前フルネーム 氏名フルネーム お名前全角 氏名全角 お客様のお名前 お客様のこ氏名 応募者氏名 応募者名 namekanji
이름 성함 성명 성함이름 실명 고객명 고객이름 고객성함 신청자 신청자명 신청자이름 신청자성함 신청인 담당자 담당자명 담당자이름 담당자성함 예약자 예약자명 예약자이름 예약자성함 주문자 주문자명 문의자 문의자명 작성자 작성자명 글쓴이 방문자이름 투숙객이름 ireum irum seongham sungham seongmyeong sungmyung 예약자성명 신청자성명 담당자성명 문의자성함 문의자이름 지원자 지원자명 지원자이름
vardas vardasirpavarde vardaspavarde pavardeirvardas pavardevardas pilnasvardas vardaspav sveciovardas klientovardas siuntejovardas kontaktinisasmuo kontaktinioasmensvardas asmensvardasirpavarde pareiskejas uzsakovas uzsakovovardas autorius autoriausvardas asmuopasiteirauti
vards vardsunuzvards vardsuzvards uzvardsunvards uzvardsvards pilnsvards pilnaisvards viesavards klientavards sutitajavards kontaktpersona kontaktpersonasvards kontaktpersonasvardsuzvards pieteicejs pieteicejavards iesniedzejs pasutitajs pasutitajavards autors autoravards
navn namn navnetditt namnetditt fulltnavn fulltnamn fullenavn forogetternavn forogetternamn fornavnogetternavn fornavnetternavn fornamnogetternamn etternavnogfornavn navnogetternavn kontaktperson navnkontaktperson navnpakontaktperson kontaktpersonensnavn kontaktnavn bestiller bestillersnavn gjestensnavn kundensnavn avsendersnavn avsendernavn innsender sokersnavn soekersnavn forfatter foretternavn navnpabestiller kundenavn
naam volledigenaam voorenachternaam voornaamenachternaam voornaamachternaam achternaamenvoornaam naamenvoornaam naamvoornaam voornaamennaam voornaamnaam naamenvoorletters voorlettersenachternaam contactpersoon naamcontactpersoon naamvandecontactpersoon naamgast naamklant naamaanvrager aanvrager naambesteller besteller naamafzender naaminzender auteur achternaamvoornaam voorenfamilienaam voornaamenfamilienaam voornaamfamilienaam familienaamenvoornaam klantnaam
imieinazwisko imienazwisko imionainazwisko nazwiskoiimie nazwiskoimie pelneimieinazwisko osobakontaktowa osobadokontaktu imieinazwiskoklienta imieinazwiskogoscia imieinazwiskonadawcy imieinazwiskoosobykontaktowej zamawiajacy rezerwujacy zglaszajacy autor imieinazwiskolubnazwafirmy imieinazwiskonazwafirmy imielubnazwafirmy
nome nomecompleto nomeesobrenome nomesobrenome sobrenomeenome nomeeapelido primeiroeultimonome nomedocliente nomedocontato nomedocontacto nomedecontato nomeparacontato pessoadecontato pessoadecontacto pessoaparacontato nomedohospede nomedovisitante nomedosolicitante solicitante nomedointeressado interessado nomedoremetente autor nomedapessoadecontato nomedapessoadecontacto
nume numele numeledvs numeletau numeledumneavoastra numesiprenume numelesiprenumele numeprenume prenumesinume prenumenume numecomplet numelecomplet persoanadecontact persoanacontact numepersoanadecontact numecontact numeclient numeleclientului numeoaspete numesolicitant solicitant numeexpeditor autor prenumelesinumele numelepersoaneidecontact numelesolicitantului
имя фио имяифамилия имяфамилия фамилияиимя фамилияимя фамилияимяотчество полноеимя каквасзовут какквамобращаться контактноелицо имягостя имяклиента имязаявителя имяотправителя фиоклиента фиозаявителя фиоконтактноголица автор имяавтора заявитель заказчик imya imja fio polnoeimya imyaifamiliya kontaktnoelitso avtor имяиотчество имяотчество представьтесь каквасназывать
meno menoapriezvisko menopriezvisko priezviskoameno priezviskomeno celemeno kontaktnaosoba menokontaktnejosoby menohosta menozakaznika menoodosielatela menoobjednavatela objednavatel ziadatel menoalebofirma autor menoautora menoapriezviskokontaktnejosoby menoapriezviskoobjednavatela titulmenopriezvisko menofirma
ime imeinpriimek imepriimek priimekinime polnoime celotnoime imegosta imeinpriimekgosta imestranke imeposiljatelja kontaktnaoseba osebazakontakt imekontaktneosebe nosilecrezervacije narocnik prijavitelj vlagatelj avtor imeavtorja imeinpriimekkontaktneosebe imeinpriimeknarocnika
namn fullstandigtnamn helanamnet forochefternamn fornamnochefternamn fornamnefternamn efternamnochfornamn efternamnfornamn namnochefternamn kontaktperson namnkontaktperson namnpakontaktperson kontaktpersonensnamn kontaktnamn gastensnamn kundensnamn bestallare bestallarensnamn avsandarensnamn sokandensnamn forfattare fullstandiganamn forefternamn namnpabestallare kundnamn
ชอ ชอของคณ ชอคณ ชอนามสกล ชอและนามสกล ชอจรงนามสกล ชอสกล ชอเตม ชอผตดตอ ชอนามสกลผตดตอ ผตดตอ ชอผสง ชอผจอง ผจอง ชอผสมคร ชอผสงซอ ชอผเขาพก ชอลกคา ผเขยน ชอผเขยน chue chuesakun chuenamsakun ผสอบถาม ชอผสอบถาม ชอผลงทะเบยน ชอผแจง
isim isminiz adi adiniz adsoyad advesoyad adsoyadi adisoyadi adinizsoyadiniz adinizvesoyadiniz adsoyisim isimsoyisim isimsoyad soyadad tamad tamadiniz tamisim yetkili yetkilikisi yetkiliadi irtibatkisisi iletisimkisisi musteriadi misafiradi basvuran yazar adivesoyadi adsoyadiniz isminizsoyisminiz
імя імʼя піб імятапрізвище імʼятапрізвище імяіпрізвище імʼяіпрізвище імяпрізвище прізвищетаімя прізвищетаімʼя прізвищеімя прізвищеімяпобатькові прізвищеімʼяпобатькові повнеімя повнеімʼя яквасзвати якдовасзвертатися контактнаособа імягостя імяклієнта імявідправника автор заявник замовник imya imia imyataprizvyshche imiataprizvyshche kontaktnaosoba імятапобатькові імʼятапобатькові представтеся
hoten hovaten ten tencuaban hotencuaban hovatencuaban tendaydu hotendaydu tenkhachhang hotenkhachhang quydanh nguoilienhe tennguoilienhe hotennguoilienhe tenlienhe tennguoigui hotennguoigui nguoidat tennguoidat tenkhach nguoidangky hotennguoidangky tacgia tentacgia nguoidatlich nguoidatphong tennguoidatphong tenkh
姓名 名字 称呼 稱呼 尊称 怎么称呼 如何称呼 联系人 聯絡人 聯繫人 連絡人 联系人姓名 聯絡人姓名 真实姓名 真實姓名 全名 客户姓名 客戶姓名 客户名 用户姓名 用戶姓名 访客姓名 訪客姓名 申请人 申請人 申请人姓名 申請人姓名 预约人 預約人 预约人姓名 預約人姓名 预订人 订购人 訂購人 訂購人姓名 入住人姓名 报名人 留言人 留言者 作者 昵称 暱稱 xingming mingzi chenghu lianxiren zhenshixingming 联络人 大名 尊姓大名 怎么称呼您 报名人姓名 報名人 報名人姓名 訂位人 訂位人姓名 訂房人 訂房人姓名 预订人姓名 填表人 填表人姓名
`,
  subject: `
subject
الموضوع موضوع موضوعالرساله عنوانالرساله موضوعالاستفسار almawdu mawdu
тема относно теманасъобщението заглавие tema otnosno zaglavie
predmet predmetzpravy tema vec
emne emnelinje overskrift vedrorende vedroerende vedr angaende angaaende
betreff betreffzeile thema
θεμα θεμαμηνυματοσ αντικειμενο thema
asunto tema motivo motivodelcontacto
teema sonumiteema kirjateema pealkiri
موضوع موضوعپيام موضوعشما عنوانپيام موضوعدرخواست mozu mozoo mowzu
aihe viestinaihe otsikko viestinotsikko
sujet objet objetdumessage objetdelademande sujetdumessage motifducontact motifdecontact motifdelademande
נושא הנושא נושאהפנייה נושאהפניה נושאההודעה כותרת כותרתההודעה
वषय सदशकवषय शरषक टपक vishay
predmet predmetporuke naslovporuke naslovupita tema temaporuke предмет наслов насловпоруке тема
targy targya uzenettargya tema
subjek subyek perihal judul judulpesan topik perkara tajuk
oggetto soggetto oggettodelmessaggio oggettodellarichiesta argomento tema motivo
件名 題名 タイトル お問い合わせ件名 メール件名 表題 kenmei daimei
제목 문의제목 주제 문의주제 메일제목 jemok
tema zinutestema laiskotema pranesimotema antraste
temats tema zinastemats vestulestemats zinastema virsraksts
emne emnelinje tema overskrift gjelder
onderwerp onderwerpvanuwbericht betreft thema
temat tematwiadomosci tytul tytulwiadomosci dotyczy
assunto assuntodamensagem tema motivo motivodocontato motivodocontacto
subiect subiectul subiectulmesajului tema
тема темасообщения темаписьма темаобращения заголовок tema temasoobshcheniya temapisma
predmet predmetspravy tema vec
zadeva zadevasporocila naslovsporocila tema
amne amnesrad arende rubrik
หวขอ เรอง หวเรอง หวขอเรอง ชอเรอง เรองทตดตอ
konu konusu konunuz konubasligi mesajkonusu baslik
тема темаповідомлення темалиста темазвернення заголовок tema temapovidomlennya
tieude chude tieudethu vande
主题 主題 标题 標題 留言主题 留言主題 留言标题 留言標題 邮件主题 咨询主题 諮詢主題 主旨 zhuti biaoti 信件主旨 郵件主旨
`,
  otherField: `
companyname organisationname organizationname businessname firstname givenname forename fname namefirst lastname surname familyname lname namelast surename secondname
اسمالشركه اسمشركتك اسمالموسسه اسمالمنظمه اسمالجهه اسمالمنشاه اسمالجمعيه ismalsharika اسمالشركهاوالموسسه الاسمالاول اسمكالاول الاسمالشخصي ismawal alismalawal اسمالعايله الاسمالاخير اسمعايلتك الاسمالعايلي ismalaila ismaila
имеил имеиладрес имеилзаконтакт имеилзавръзка imeil imeyl именафирма именафирмата именакомпания именаорганизация imenafirma imenafirmata собственоиме първоиме личноиме sobstvenoime parvoime purvoime фамилноиме familnoime
jmenofirmy obchodnijmeno krestnijmeno
emailkontaktperson firmanavn firmaetsnavn virksomhedsnavn virksomhedensnavn navnpavirksomhed organisationsnavn foreningsnavn foreningensnavn fornavn fnavn efternavn enavn
firmenname unternehmensname namederfirma namedesunternehmens vereinsname vorname rufname nachname familienname zuname
ονομαεταιρειασ onomaetaireias eponimia ονομαεταιριασ ονομαεπιχειρησησ keimeno μικροονομα κυριοονομα mikroonoma kyrioonoma
numerodetelefono numerotelefonico numerodemovil numeromovil numerodecelular numerocelular numerodecontacto numerodewhatsapp nombredelaempresa nombreempresa nombredelacompania nombredelaorganizacion nombredelnegocio nombredeempresa nombredeorganizacion nombredelainstitucion motivodelaconsulta nombredepila primernombre
kontaktisikuepost kontaktisikuepostiaadress kontaktisikutelefon kontaktisikutelefoninumber ettevottenimi firmanimi arinimi asutusenimi organisatsiooninimi eesnimi enimi perekonnanimi perenimi pnimi
imeil نامشركت نامسازمان نامموسسه نامكسبوكار نامشركتياسازمان namesherkat نامفروشگاه نامكوچك اسمكوچك namekochak esmkochak نامخانوادگي نامخانوادگيشما نامفاميلي namekhanevadegi
yhteyshenkilonsahkoposti yhteyshenkilonsahkopostiosoite yhteyshenkilonpuhelin yhteyshenkilonpuhelinnumero yrityksennimi yrityksesinimi firmannimi toiminimi organisaationnimi yhdistyksennimi etunimi etunimesi kutsumanimi enimi sukunimi sukunimesi
numerodetelephone numerotelephone numerodetel numerodeportable numeromobile numerodemobile numerodegsm numerodecellulaire nomdelentreprise nomentreprise nomdelasociete nomsociete nomdelorganisme nomdelassociation nomdevotreentreprise nomdevotresociete nomassociation nomdeletablissement nomdelorganisation prenom nomdefamille nomdusage nomusuel
imeil שםהחברה שםחברה שםהארגון שםארגון שםהעסק שםעסק שםהמוסד שםהעמותה shemhevra שםפרטי השםהפרטי שמךהפרטי shemprati שםמשפחה שםהמשפחה שםמשפחתך shemmishpacha shemmishpaha
imel कपनकनम कमपनकनम ससथकनम सगठनकनम ससथनकनम फरमकनम वयवसयकनम दकनकनम परथमनम पहलनम फरसटनम prathamnaam pehlanaam pahlanaam उपनम कलनम अतमनम आखरनम सरनम लसटनम upnaam kulnaam antimnaam
imejl imejladresa имејл имејладреса имејлзаконтакт imetvrtke imefirme osobnoime vlastitoime licnoime samoime личноиме prezime prezimena презиме
emailcime mailcime azonemailcime kapcsolattartoemail kapcsolattartoemailcime kapcsolattartotelefonszama kapcsolattartotelefon kapcsolattartotelefonszam cegnev cegneve vallalatneve vallalkozasneve szervezetneve intezmenyneve keresztnev keresztneve keresztneved utonev utoneve vezeteknev vezetekneve vezetekneved csaladnev csaladneve csaladinev
emailpemesan nomortelepon nomorteleponanda nomortelp nomortlp nomortelpon nomorhp nomorhandphone nomorponsel nomorwa nomorwhatsapp nomorkontak nombortelefon nombortelefonbimbit nomorhpwa nomorhpaktif nomorteleponaktif nomoryangdapatdihubungi nomor namaperusahaan namainstansi namaorganisasi namalembaga namausaha namasyarikat namatoko namadepan namadepananda namapertama namaawal namabelakang namabelakanganda namakeluarga namaakhir
numeroditelefono numerotelefono numerotelefonico numerodicellulare numerocellulare numerodicontatto numerowhatsapp numeroditel numero numerotel nomeazienda nomedellazienda nomeditta nomesocieta nomedellasocieta nomeimpresa nomedellassociazione nomedellente nomeproprio nomedibattesimo primonome cognome
下の名前 お名前名 名前名 氏名名 namemei namaemei shimeimei 名前の姓 お名前姓 名前姓 氏名姓 namesei namaesei shimeisei
담당자이메일 신청자이메일 imeil 담당자연락처 담당자전화번호 신청자연락처 예약자연락처 예약자전화번호 회사이름 이름성제외 이름만
pirmasvardas pirmasisvardas tikvardas
kontaktpersonasepasts kontaktpersonastalrunis piezime personvards pirmaisvards tikaivards uzvards jusuuzvards
epostkontaktperson firmanavn firmanamn bedriftsnavn bedriftsnamn bedriftensnavn navnpabedrift selskapsnavn virksomhetsnavn foretaksnavn organisasjonsnavn meldingadi fornavn fornamn fnavn fnamn etternavn etternamn enavn enamn
emailcontactpersoon emailadrescontactpersoon telefooncontactpersoon bedrijfsnaam naambedrijf naamvanhetbedrijf organisatienaam naamorganisatie ondernemingsnaam firmanaam naaminstelling naamvereniging naamvandeorganisatie voornaam roepnaam vnaam achternaam familienaam geslachtsnaam anaam
numertelefonu numertel numerkontaktowy numerkomorki numerkomorkowy numertelefonukomorkowego numerdokontaktu numertelefonukontaktowego
numerodetelefone numerotelefone numerodotelefone numerodecelular numerodocelular numerodetelemovel numerodewhatsapp numerodowhatsapp nomedaempresa nomeempresa nomefantasia nomedaorganizacao nomedainstituicao nomedeempresa nomedaentidade nomedaassociacao primeironome nomeproprio sobrenome ultimonome nomedefamilia
numelecompaniei numecompanie numelefirmei numefirma numelesocietatii numesocietate numeleorganizatiei prenume prenumele prenumeledvs numemic numelemic numedefamilie numeledefamilie
имеил imeil nomertelefona личноеимя толькоимя первоеимя imyabezfamilii
menofirmy obchodnemeno krstnemeno
imepodjetja imefirme osebnoime lastnoime samoime
epostkontaktperson foretagsnamn foretagetsnamn firmanamn bolagsnamn organisationsnamn foreningsnamn foreningensnamn arendebeskrivning beskrivdittarende fornamn tilltalsnamn fnamn efternamn enamn
อเมลผตดตอ เบอรโทรผตดตอ เบอรโทรศพทผตดตอ ชอบรษท ชอองคกร ชอหนวยงาน ชอกจการ chueborisat เรองทตองการสอบถาม ชอจรง ชอตน ชอตว ชอแรก
firmaadi sirketadi kurumadi isletmeadi kurulusadi onadi ilkisim soyadi soyadiniz soyisim soyisminiz
imeil nomertelefonu власнеімя власнеімʼя першеімя
tencongty tendoanhnghiep tentochuc tencoquan tendonvi tencuahang tenrieng tengoi chiten hovatendem
联系人电话 聯絡人電話
`,
  empty: `
your user customer visitor sender form field fields input contact client from txt guest applicant my our me
العميل الزاير المرسل الضيف الزبون النموذج نموذج الحقل حقل الراسل
ваш ваша ваше ваши вашият вашата вашето вашите вашия твоето твоят клиент посетител подател гост формуляр форма поле vashiyat vashata vasheto vashite vashe
vas vase vasi tvuj tvoje muj moje zakaznik zakaznika klient klienta uzivatel uzivatele navstevnik navstevnika odesilatel odesilatele formular pole
dit din dine jeres mit kunde kundens bruger besogende besoegende afsender afsenders formular felt
ihr ihre ihren dein deine deinen mein meine kunde kunden besucher absender benutzer nutzer formular feld eingabe euer eure
σασ σου μου πελατησ πελατη επισκεπτησ επισκεπτη αποστολεασ αποστολεα χρηστησ χρηστη φορμα πεδιο πεδια pelatis pelati apostoleas apostolea xristis
su sus tu tus mi mis vuestro vuestra cliente usuario visitante remitente formulario campo campos paciente
teie sinu minu klient kliendi kasutaja kulastaja saatja ankeet vorm vali
شما مشتري فرستنده ارسالكننده بازديدكننده مهمان متقاضي فرم فيلد moshtari ferestande
sinun teidan asiakas asiakkaan kayttaja kayttajan lahettaja lahettajan kavija kavijan vierailija lomake kentta
votre vos ton ta tes mon ma mes client cliente visiteur expediteur utilisateur usager internaute formulaire champ champs saisie
לקוח הלקוח פונה הפונה אורח האורח מבקר המבקר שולח השולח מזמין המזמין טופס שדה שלך שלכם
आपक अपन गरहक अतथ आगतक आवदक परषक फरम फलड aapka aapki apka apki apna apni
vas vasa vase vasi tvoj tvoja tvoje klijent kupac gost posjetitelj posetilac posjetilac posiljatelj posiljalac obrazac polje ваш ваша ваше ваши твој купац гост посетилац пошиљалац образац поље kupca gosta posjetitelja посетиоца клијент
azon sajat ugyfel vasarlo vevo felhasznalo latogato felado kuldo urlap mezo
anda pelanggan pengirim pengunjung tamu pemesan pemohon pendaftar formulir borang kolom isian kamu pembeli pelapor
iltuo latua tuo tua ilsuo lasua suo sua vostro vostra mio mia cliente utente visitatore mittente modulo campo campi tuoi suoi
あなたの 貴方の お客様 お客様の お客さまの 申込者 予約者 依頼者 こ依頼者 担当者 こ担当者 こ担当者様 送信者 訪問者 フォーム 入力 項目
고객 고객님 당신의 귀하의 신청자 신청인 예약자 주문자 문의자 작성자 담당자 방문자 발신자 보내는사람 보내는분 입력 양식 폼 필드 지원자
jusu tavo klientas kliento svecias svecio lankytojas lankytojo siuntejas siuntejo pirkejas pirkejo uzsakovo forma laukas laukelis
jusu tavs tava klients klienta viesis viesa apmekletajs apmekletaja sutitajs sutitaja pircejs pirceja pasutitaja forma veidlapa lauks
ditt din dine deres dykkar mitt kunde kundens bruker brukar besokende besoekende avsender avsenders skjema felt
uw jouw je mijn klant gebruiker bezoeker afzender formulier veld velden invoer jullie
twoj twoje twoja pana pani panstwa moj moje moja klient klienta uzytkownik uzytkownika odwiedzajacy nadawca nadawcy gosc formularz pole pola
oseu asua seu sua seus teu tua meu minha vosso vossa cliente usuario utilizador visitante remetente formulario campo campos paciente
dvs dumneavoastra tau client clientul clientului vizitator utilizator expeditor oaspete formular camp campuri
ваш ваша ваше ваши клиент посетитель отправитель гость заявитель заказчик форма поле vash vasha vashe vashi posetitel otpravitel
vas vase vasa tvoj tvoje tvoja moj moje moja zakaznik zakaznika klient klienta pouzivatel pouzivatela navstevnik navstevnika odosielatel odosielatela formular pole polia
vas vasa vase vasi tvoj tvoja tvoje kupec gost narocnik obiskovalec posiljatelj obrazec polje vnos
din ditt dina ert mitt kund kundens anvandare besokare besokarens avsandare avsandarens formular falt
คณ ลกคา ผตดตอ ผสง ผจอง ผสมคร ผเยยมชม แบบฟอรม ฟอรม ชอง ฟลด ผสอบถาม
sizin benim musteri ziyaretci gonderen kullanici misafir form
ваш ваша ваше ваші клієнт відвідувач відправник гість заявник замовник форма поле vash vasha vashe vashi vidpravnyk
khachhang khach quykhach nguoigui nguoilienhe nguoidangky bieumau
您的 你的 您 你 客户 客戶 顾客 顧客 访客 訪客 游客 发件人 發件人 寄件人 联系人 聯絡人 聯繫人 申请人 申請人 预约人 預約人 訂購人 表单 表單 字段 欄位 ninde nide kehu fangke
`,
  others: `
friend to recipient owner admin child referral emergency partner parent mailto sendto cc bcc site friends
الصديق صديق صديقك لصديق المستلم مستلم المرسلاليه الي المالك مالك صاحبالموقع المدير المشرف الطفل طفل طفلك الابن الابنه الاطفال الاحاله المحيل الموصيبه الطواري طواري حالهالطواري الشريك شريك الزوج الزوجه وليالامر الوالد الوالده الوالدين الاب الام sadiq mustalim mudir tifl walid zawj tawari المتلقي
приятел приятелка наприятел получател наполучателя адресат собственик администратор админ дете надетето деца препоръчан препоръчващ спешенслучаи приспешност партньор съпруг съпруга родител народителя родители маика баща настоиник priyatel poluchatel sobstvenik dete roditel saprug
pritel pritele kamarad kamarada znamy znameho prijemce adresat adresata komu obdarovany majitel majitele vlastnik spravce administrator dite ditete deti syn syna dcera dcery doporuceni doporuceny nouzovykontakt nouze partner partnera partnerka partnerky manzel manzelka rodic rodice matka otec zakonnyzastupce zakonnehozastupce doprovod
ven vens vennen vennens veninde modtager modtagers modtagerens adressat til ejer administrator barn barnet barnets born boern datter anbefalet anbefaling nodsituation noedsituation nodstilfaelde parorende paaroerende partner aegtefaelle samlever ledsager foraelder foraeldre vaerge mor
freund freundes freundin freunde bekannte bekannter empfanger empfaenger empfangers empfaengers adressat inhaber betreiber eigentumer eigentuemer administrator verwalter kind kindes kinder sohn tochter empfehlung empfohlene empfohlener notfall notfallkontakt partner partnerin ehepartner lebenspartner begleitperson eltern elternteil mutter vater erziehungsberechtigte erziehungsberechtigter
φιλοσ φιλου φιλη φιλησ παραληπτησ παραληπτη προσ ιδιοκτητησ ιδιοκτητη διαχειριστησ διαχειριστη παιδι παιδιου τεκνο τεκνου συσταση εκτακτηαναγκη εκτακτησαναγκησ συντροφοσ συντροφου συζυγοσ συζυγου συνοδοσ γονεασ γονεα γονεισ μητερα μητερασ πατερασ πατερα κηδεμονασ κηδεμονα filos filou paraliptis paralipti idioktitis diaxeiristis paidi paidiou syzygos goneas gonea kidemonas
amigo amiga amigos destinatario destinataria para beneficiario propietario dueno administrador nino nina hijo hija hijos menor referido recomendado emergencia emergencias pareja conyuge esposo esposa acompanante padre madre padres tutor tutora
sober sobra sobranna saaja vastuvotja adressaat adressaadi kellele kingisaaja omanik omaniku haldaja administraator laps lapse poeg poja tutar tutre soovitaja soovitatav hadaolukord partner partneri abikaasa elukaaslane kaaslane kaaslase lapsevanem lapsevanema vanem vanema eestkostja
دوست دوستشما دوستان گيرنده دريافتكننده به مخاطب مالك صاحبسايت مدير مديرسايت ادمين كودك فرزند فرزندان معرف معرفيشده اضطراري تماساضطراري موارداضطراري شريك همسر والد والدين پدر مادر ولي سرپرست قيم doost girande modir farzand moaref hamsar namepedar namemadar valed
ystava ystavan ystavasi kaveri kaverin vastaanottaja vastaanottajan saaja saajan kenelle omistaja omistajan yllapitaja paakayttaja lapsi lapsen lapsesi suosittelija suositeltava hatatilanne hatatapaus lahiomainen omainen kumppani kumppanin puoliso puolison vanhempi vanhemman vanhemmat huoltaja huoltajan aiti aidin
ami amie amis proche destinataire beneficiaire proprietaire administrateur enfant enfants fils fille parrain parrainage filleul recommande urgence conjoint conjointe epoux epouse partenaire accompagnant parent parents mere pere tuteur representantlegal responsablelegal
חבר לחבר שלחבר נמען הנמען מקבל המקבל אל בעלים בעלהאתר מנהל מנהלהאתר ילד הילד ילדה הילדה ילדים ממליץ מומלץ חירום לחירום לשעתחירום אישקשרלחירום בןזוג בתזוג בןהזוג בתהזוג הורה ההורה הורים אבא אמא האב אפוטרופוס haver nimaan yeled hore benzug
मतर मतरक दसत दसतक परपतकरत परपतकरतक मलक सवम एडमन परशसक बचच बचचक रफरल सदरभकरत आपतकलन आपतकलनसपरक आपत सथ जवनसथ जवनसथक पतक पतन पतनक मत मतक मतपत अभभवक अभभवकक सरकषक mitra dost praptkarta bachcha bachche pitaka mataka patika patni abhibhavak
prijatelj prijatelja prijateljica prijateljice primatelj primatelja primalac primaoca kome adresat vlasnik vlasnika administrator admin dijete djeteta dete deteta djeca preporucitelj preporucilac hitnislucaj uhitnomslucaju partner partnera supruznik suprug supruga supruge roditelj roditelja roditelji skrbnik skrbnika staratelj majka majke otac oca пријатељ пријатеља прималац примаоца власник администратор дете детета дијете партнер супруг супруга супружник родитељ родитеља старатељ мајка отац
barat baratom baratod baratja ismeros ismerose cimzett cimzettje kinek megajandekozott tulajdonos uzemelteto adminisztrator gyermek gyermeke gyermekem gyerek gyereke ajanlott ajanlo veszhelyzet veszhelyzeti ertesitendo partner partnere hazastars hazastarsa elettars kisero szulo szuloje szulok anyja apja gondviselo gondviseloje
teman namateman kawan rakan sahabat penerima namapenerima kepada pemilik administrator admin anak namaanak rujukan pemberireferensi referensi darurat kontakdarurat kecemasan pasangan mitra suami istri isteri orangtua namaorangtua ibubapa ayah namaayah ibu namaibu bapa wali namawali penjaga
amico amica amici destinatario destinataria beneficiario proprietario titolare amministratore bambino bambina figlio figlia figli minore invitato segnalato emergenza partner coniuge marito moglie accompagnatore genitore genitori padre madre tutore
友人 こ友人 友達 お友達 宛先 宛名 受取人 お届け先 届け先 送付先 送り先 贈り先 管理者 オーナー 子供 子とも お子様 お子さま 紹介者 こ紹介者 被紹介者 緊急 緊急時 緊急連絡先 配偶者 ハートナー 保護者 両親 父 母 同伴者 同行者 tomodachi atesaki hogosha kinkyu shokaisha
친구 받는사람 받는분 받으실분 수신자 수신인 수령인 수취인 소유자 관리자 운영자 아이 자녀 어린이 원아 추천인 피추천인 소개자 비상 비상연락처 긴급 긴급연락처 배우자 파트너 동반자 보호자 부모 부모님 학부모 아버지 어머니 chingu susinja suryeongin gwanrija bohoja chucheonin
draugas draugo drauge drauges gavejas gavejo kam adresatas adresato savininkas savininko administratorius administratoriaus vaikas vaiko vaikai rekomenduotojas rekomenduojamas rekomenduojamoasmens skubusatvejis nelaimesatveju partneris partnerio sutuoktinis sutuoktinio sutuoktine tevas tevo tevai tevu motina motinos mama globejas globejo
draugs drauga draudzene draudzenes sanemejs sanemeja kam adresats adresata ipasnieks ipasnieka administrators administratora berns berna berni ieteicejs ieteiceja ieteiktapersona arkartasgadijums arkartassituacija partneris partnera dzivesbiedrs dzivesbiedra laulatais laulata vecaks vecaka vecaki vecaku mate mates tevs teva aizbildnis
venn venns vennen vennens venninne mottaker mottakers mottakerens mottakar adressat til eier eigar administrator barn barnet barnets datter anbefalt anbefaling nodsituasjon noedsituasjon nodstilfelle parorende paaroerende parorande partner ektefelle samboer ledsager forelder foreldre foresatt foresatte foresattes foresette verge mor
vriend vriendin vrienden ontvanger geadresseerde aan begunstigde eigenaar beheerder kind kinderen zoon dochter aanbevolen doorverwezen noodgeval noodcontact nood partner echtgenoot echtgenote begeleider ouder ouders moeder vader voogd
znajomy znajomego znajomej przyjaciel przyjaciela odbiorca odbiorcy adresat adresata komu obdarowany wlasciciel wlasciciela administrator administratora dziecko dziecka syn syna corka corki polecony poleconego polecanaosoba naglywypadek kontaktawaryjny partner partnera malzonek osobatowarzyszaca rodzic rodzica rodzice matka ojciec opiekun opiekuna
amigo amiga amigos destinatario para beneficiario proprietario dono administrador crianca filho filha filhos indicado indicacao recomendado emergencia parceiro conjuge esposo esposa marido acompanhante pai mae encarregado encarregadodeeducacao tutor
prieten prietena prietenul prietenului prietenei destinatar destinatarul destinatarului catre beneficiar proprietar administrator copil copilul copilului fiu fiica recomandat recomandare urgenta cazdeurgenta partener partenerului sot sotie insotitor parinte parintele parintelui parinti mama tata tutore
друг друга подруга кому получатель получателя адресат адресата владелец владельца администратор админ ребенок ребенка дети рекомендатель реферал экстренныи экстренныиконтакт партнер партнера супруг супруга родитель родителя родители мать отец опекун законныипредставитель poluchatel vladelets rebenok rebenka roditel suprug
priatel priatela kamarat kamarata znamy znameho prijemca prijemcu adresat adresata komu obdarovany majitel majitela vlastnik spravca administrator dieta dietata deti syn syna dcera dcery odporucanie odporucany nudzovykontakt nudza partner partnera partnerka partnerky manzel manzelka rodic rodica rodicia matka otec zakonnyzastupca zakonnehozastupcu sprievod
prijatelj prijatelja prijateljica prijateljice prejemnik prejemnika naslovnik naslovnika komu lastnik lastnika skrbnik skrbnika administrator admin otrok otroka otroci priporocitelj priporocenaoseba nujniprimer vnujnemprimeru partner partnerja zakonec zakonca soproga stars starsa starsi mati matere oce oceta soprog zakonitizastopnik stikvsili
vans vannen vannens kompis kompisens mottagare mottagarens adressat till agare administrator barn barnet barnets dotter tipsa rekommenderad nodsituation nodkontakt anhorig narmastanhorig partner sambo medfoljande foralder foralders foraldrar vardnadshavare malsman mamma pappa
เพอน ชอเพอน ผรบ ชอผรบ ถง เจาของ เจาของเวบไซต แอดมน ผดแลระบบ ผดแลเวบไซต เดก ชอเดก บตร ชอบตร ผแนะนา ผถกแนะนา ฉกเฉน ตดตอฉกเฉน ผตดตอฉกเฉน กรณฉกเฉน คสมรส สาม ภรรยา พารทเนอร หนสวน ผปกครอง ชอผปกครอง บดา มารดา พอแม phuean phurap
arkadas arkadasin arkadasinin arkadasinizin alici alicinin kime sahibi sahibinin yonetici cocuk cocugun cocugunuzun tavsiye referans acil acildurum partner esinizin esi refakatci ebeveyn veli velinin velisi anne baba vasisi vasinin
друг друга подруга кому отримувач отримувача одержувач адресат власник власника адміністратор адмін дитина дитини діти рекомендувач реферал екстрении екстренииконтакт партнер партнера подружжя чоловік дружина батько мати батьки батьків опікун законниипредставник otrymuvach vlasnyk dytyna dytyny batky
banbe nguoinhan tennguoinhan guiden kinhgui chusohuu quantri quantrivien treem tenbe tencon nguoigioithieu nguoiduocgioithieu khancap lienhekhancap doitac bandoi vochong tenvo tenchong phuhuynh chame bome bame hotencha hotenme nguoigiamho
朋友 好友 收件人 接收人 收货人 收貨人 推荐人 推薦人 被推荐人 被推薦人 介绍人 所有者 站长 站長 管理员 管理員 孩子 小孩 儿童 兒童 紧急 緊急 紧急联系人 緊急聯絡人 緊急聯繫人 伴侣 伴侶 配偶 家长 家長 父母 父亲 父親 母亲 母親 监护人 監護人 合作伙伴 pengyou shoujianren guanliyuan haizi jiazhang jinjilianxiren
`,
  ofForms: `
form field fields data contactform
`,
  endings: `
input field box text content body value required optional
`,
  things: `
from pet dog cat horse event product course file team company school project hotel tour package domain site website room service class business brand bank street city country state campaign form page list group item plan category menu nick middle maiden user login screen
`,
  joined: `
customer contact visitor client sender fields votre field input from form user your ihre ihr txt req frm fld
`,
  forReader: `
your votre ihr ihre
`,
  clients: `
client customer
`,
  hidden: `
redirect form-name campaign campaign_id honeypot bot-field bot-bait false-field botcheck g-recaptcha-response h-captcha-response cf-turnstile-response access_key access-key accesskey apikey csrf_token recaptcha_response authenticity_token csrfmiddlewaretoken form_build_id action do op task utf8 form_id form-id formid field_id commit submit submitted button token nonce timestamp fbzx fvv pagehistory
`,
  hiddenStart: /^(?:_|utm_|hcap_|gform_)/,
  letters: {
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ı: 'i',
    ς: 'σ',
    ة: 'ه',
    ى: 'ي',
    ی: 'ي',
    ک: 'ك',
  },
};
