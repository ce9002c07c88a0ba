/**
 * Texts of twenty kinds of spam that the tests and lists of public spam filters hold, written anew: what is sold, how, and in
 * which markup the links stand. Each has slots that a spammer fills in: a site, a sum, a name.
 */
const kinds: Readonly<Record<string, readonly [string, string]>> = {
  'better rank in searches': [
    'Hello, I found several SEO errors on your website. We can put you on page one of Google for just {sum} a month. Shall I send you a free audit? {name}',
    'Greetings! Our SERP plan gives natural, manual link building. Read more: {site}/plan\nRegards, {name}',
  ],
  'links and guest posts': [
    'Hi, I would like to publish a guest post on your blog with one do-follow link. How much do you charge? {name}',
    'We sell {sum} backlinks from sites with DA 70+. List: {site}/da70 Unsubscribe: {site}/no',
  ],
  'a new website': [
    'I am a web designer from India and can redesign your website in WordPress for {sum}. May I send you a portfolio and prices? {name}',
    'Your website looks outdated. We build modern web design with mobile app development. {site}',
  ],
  'visitors for sale': [
    'For a limited time we sell targeted traffic: 500 free visitors in the trial. Start here: {site}/11\nUnsubscribe: {site}/out',
    'Do you want to dramatically increase your leads and sales? Watch the free training: {site}/training',
  ],
  'addresses for sale': [
    'You asked about our B2B email list of {sum} dentists. The sale ends on Monday. Download: {site}/list',
    'We have a verified marketing database for your industry, {sum} contacts. Interested? {name}',
  ],
  'coins and investments': [
    'Grow your b\u0456tc\u043ein by 10 % in 2 days. Profit comes to your wallet. Try {site} - it takes 2 minutes!',
    'The leader in short-term investing in cryptocurrency. Minimum profit {sum}. Registration: {site}/?source=en',
  ],
  'money at home': [
    'LEARN how to make money online: {sum} a day, for beginners. Click here ==> {site}/start',
    'My p\u0430ssive inc\u043eme is {sum} a week without work. {site}/x {site}/y {site}/z {site}/w',
  ],
  medicines: [
    '<a href="{site}/v">buy viagra</a> <a href="{site}/c">buy cialis</a> [url={site}/l]levitra[/url] [url={site}/k]kamagra[/url] {site}/shop',
    'Canadian ph\u0430rmacy without prescription: v\u0456agra, ci\u0430lis. hxxp://pills.example hxxp://pills2.example www.pills3.example',
  ],
  'games of chance': [
    '[url={site}/a]best online casino[/url] [url={site}/b]slots[/url] [url={site}/c]poker[/url] [link={site}/d]betting[/link]',
    'C\u0430sin\u043e bonus {sum}, no deposit! Play sl\u200bots now: {site}',
  ],
  'games of chance, in Russian': [
    'Лучшее онлайн казино 2026: бонус {sum} без депозита! {site}/kz {site}/slot {site}/ru {site}/win',
    'Игровые автоматы бесплатно, ставки на спорт: <a href={site}>тут</a>',
  ],
  'promotion, in Russian': [
    'Продвижение сайтов в топ 10 Яндекса. Прогон по базе, {sum} руб. Пишите: {site}',
    'Здравствуйте! Рассылка по формам обратной связи: {sum} сайтов. Telegram: {name}_seo',
  ],
  dating: [
    'Beautiful girls in your city want to meet you tonight: {site}/meet',
    'Find your soulmate in the new dating app! Free video chat. {site}/app {name}',
  ],
  loans: [
    'Do you need an urgent loan at 2 %? We give from {sum}, no collateral. Contact {name} today.',
    'Business funding of {sum} in 24 hours, bad credit is OK. Apply: {site}/apply',
  ],
  'an inheritance': [
    'Dear friend, I am {name}, a lawyer. My late client left {sum} and no next of kin. I propose to present you as the beneficiary. Reply in confidence.',
    'We manufacture aluminium rods in Japan and look for a payment agent in your country. You keep ten per cent of each transfer. {name}',
  ],
  'a supplier': [
    'Dear Sirs, this is {name} from China, Example Inflatables, www.inflatables.example. We provide bouncy castles, slides and tents. Price list on request. Skype: {name} www.inflatables.example',
    'We are a manufacturer of hysteresis brakes in Hong Kong, the cost is extremely competitive. {site}/brakes.html Website: www.brakes.example',
  ],
  'brands at a discount': [
    'Designer handbags and watches, up to 75 % off! <a href="{site}/">bag brands</a> {site}/blog.html',
    'Replica watches, best price {sum}: [url={site}/r]replica[/url] [url={site}/s]swiss[/url] {site}/t www.replica.example',
  ],
  'a claim that is none': [
    'You use my copyrighted pictures without permission. I will sue you! See the evidence: {site}/evidence.doc {name}',
    'Kindly send your best quotation for the points in this file: {site}/down.php?n={sum}.doc',
  ],
  'a link without words': [
    'There is an amazing offer someone is waiting for you. {site}/x7ly',
    '{site}/a\n{site}/b\n{site}/c\n{site}/d\n{site}/e',
  ],
  'nothing but letters': ['TSobdmYmfntlmmOT{name}', 'qwpRtzLkkXvbnM {name} jHgfDSaPoiU'],
  'a question that finds out whether you reply': [
    'Hola, volia saber el seu preu. {name}',
    'Hi, I wanted to know your price. {name}',
  ],
};

const names = ['Mike', 'Olivia', 'Eric', 'Alec', 'Camilla'];
const sums = ['$500', '1,500', '99 USD', '10000', '2.000 EUR'];

/** The spam that a bot sends: ten texts of each kind. The owner has seen every other one of them before. */
export const spamTexts = Object.values(kinds).flatMap((texts) =>
  Array.from({ length: 10 }, (_, at) => {
    const slots: Readonly<Record<string, string>> = {
      site: `http${at % 3 === 0 ? '' : 's'}://${at % 4 === 0 ? 'www.' : ''}offer${at}.example`,
      sum: sums[at % sums.length] ?? '',
      name: names[at % names.length] ?? '',
    };
    const text = texts[at % texts.length] ?? '';
    return { isSeen: at % 2 === 0, text: text.replaceAll(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? '') };
  }),
);

/** What the owner lists who has seen the first text of each kind, and whose customers write of nothing like that. */
export const spamWords = [
  ...['seo', 'page one of google', 'guest post', 'redesign your website', 'targeted traffic', 'email list', 'bitcoin'],
  ...['make money online', 'viagra', 'cialis', 'levitra', 'casino', 'slots', 'poker', 'betting', 'казино'],
  ...['продвижение сайтов', 'beautiful girls', 'urgent loan', 'next of kin', 'designer handbags'],
];
