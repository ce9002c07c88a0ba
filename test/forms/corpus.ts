import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { fieldNames } from '../../functions/contacts/contact.ts';

/** How a page sends a form. */
const encodings = ['urlencoded', 'multipart', 'json', 'text/plain'] as const;

const fieldTypes = [
  'text',
  'email',
  'tel',
  'number',
  'date',
  'time',
  'textarea',
  'select',
  'option',
  'checkbox',
  'radio',
  'boolean',
  'file',
  'hidden',
  'trap',
  'token',
  'submit',
] as const;

const field = v.strictObject({
  type: v.picklist(fieldTypes),
  required: v.boolean(),
  preset: v.boolean(),
  name: v.string(),
  value: v.optional(v.string()),
  holds: v.optional(v.picklist([...fieldNames, 'name', 'subject'])),
});

const form = v.strictObject({
  service: v.string(),
  language: v.string(),
  encoding: v.picklist(encodings),
  from: v.string(),
  fields: v.pipe(v.array(field), v.minLength(1)),
});

export type FormField = v.InferOutput<typeof field>;
export type CorpusForm = v.InferOutput<typeof form>;

/**
 * Forms of public repositories: what a browser or a script sends of each, as facts.
 *
 * A form is a line with its service, the language of its visitors, how it is sent unless urlencoded, its repository and path,
 * and indented lines with its fields in order: type, name, fixed value. A remark begins with #.
 *
 * | notation | meaning |
 * | --- | --- |
 * | `text* name` | required |
 * | `select+ interest=updates` | chosen, checked or filled in before the visitor comes |
 * | `option` | of a list that takes several choices |
 * | `→ email`, `→ message` | holds the visitor's address or text. A person who saw the page decided this, no code |
 * | `→ phone`, `→ company`, `→ firstName`, `→ lastName` | the same, but only some forms say it |
 * | `email`, `tel` | a field that asks for an address or a phone number; many are of type text |
 * | `trap` | no visitor sees or fills in |
 * | `token` | a script fills in, such as a captcha's |
 * | `submit` | the button's own name and value |
 *
 * Values are the page's own, or its first choice. Addresses, keys and names of sites are replaced. Fields without a name and
 * checkboxes that only bots tick are left out, since browsers do not send them.
 */
const table = `
Formspree, de: bebynek/abb content/de/kontakt/_index.md
  text* name | email* email → email | textarea* message → message | checkbox* consent

Formspree, es: jesuscampos/jesuscampos.github.io contact.md
  email _replyto → email | text* name | textarea* message → message

Formspree, es: charlengas/sistema-riego-automatico contacto.md
  trap _gotcha | hidden _next=https://www.example.org/gracias | text* name | email* _replyto → email | textarea* message → message

Formspree, fr: Mamath68/ProjetElan2023 view/Karten/deck/comment_deck.php
  text* name | email* _replyto → email | textarea* message → message | hidden _subject=Contact Form Submission

Formspree, pt: RuanAyram/paiparasempre_blog _pages/contact.md
  text* name | email* _replyto → email | textarea* message → message | token g-recaptcha-response

Formspree, en: 10fdesign/website-dev _includes/contact-form.html
  text* name | email* email → email | tel phone | checkbox new_website | checkbox manage | checkbox agency | checkbox other
  text budget | textarea message → message

Formspree, en: 2E0PGS/nbarc _includes/contact-form.html
  email email → email | textarea message → message

Formspree, es: AldoTu/domkron _includes/contact-form.html
  text Nombre-Cliente | text _subject | email "_replyto " → email | tel Nombre-Cliente | textarea Mensaje → message | hidden _next

Formspree, en: DanWebb/faithful-friends-kennels _includes/booking-form.html
  hidden _subject=New Kennel Booking | text* First Name | text* Last Name | tel* Phone | email* email → email | text* Boarding Date
  text* Arrival Time | text* Duration (Days) | textarea Message → message | text Dog 1 Name | text Dog 1 Breed | text Dog 1 Sex
  text Dog 1 Vaccination Date | text Dog 1 Vet Name | text Dog 1 Medical Conditions | text Dog 1 Medication
  textarea Dog 1 Dietry Requirements

Formspree, nl: bazaaer/Tuinboys-website layouts/shortcodes/contact-form.html
  email* email → email | text* address | date* date | time* time | textarea* message → message
  checkbox services=gras maaien | checkbox services=haag scheren | checkbox services=hogdruk reinigen

Formspree, en: PatGuettler/sew-sonia layouts/shortcodes/contact-form.html
  text* name | email* _replyto → email | tel phone | select* service=Custom Bridal Gown | date event-date
  textarea* message → message | text referral | trap _gotcha

Formspree, en: StreamOfRon/cocoscanines layouts/shortcodes/contact-form.html
  text* name | email* email → email | text* dog_name | select* service=daycare | textarea* message → message | trap _gotcha

Formspree, it: gortazar-legaltech/gortazar-legaltech docs/contacto.it.md
  text* name | email* email → email | textarea* message → message | checkbox* privacy

Formspree, it: reale/eutopian it/contatti.md
  text name | email* _replyto → email | textarea* message → message | hidden _subject=Contact Form Submission

Formspree, fr: 150anslignedulioran/150anslignedulioran.github.io _includes/contact_form.html
  text name | email email → email | textarea message → message

# Name, organization and address share one name, and the text has none.
Formspree, en: CommunityForge/www _includes/contact_form.html
  text name | text name | email name → email

Formspree, en: Skehan/jekyll-netlify-cms _includes/contact_form.html
  hidden _next=https://www.example.org/thanks.html | text name | email email → email | text subject | textarea message → message

Formspree, fr: GeoffreyMetais/wedsite _includes/rsvp.html
  text* name | email* email → email | text* number

Formspree, nl: marijnio/marijnensimone.info _includes/rsvp.html
  radio+ attendance=present | text names | email email → email | textarea demo-message → message

Formspree, tr: BerkinAKKAYA/nersan-teknik src/components/ContactForm.svelte
  text* name | tel phone | email* _replyto → email | text* message → message

# "mail" is a postal address here.
Formspree, en: alexandkayla/alexandkayla.github.io en/form.md
  text* name | radio* attendance=YES | tel phone | email email → email | text mail | radio* attendance-us=YES

Formspree, en: AdopsMarketing/GreenTurtleKava src/components/ContactForm.astro
  text* name | email* email → email | tel phone | textarea message → message

Formspree, es, multipart: AV-Seguros/AVS-website src/components/ContactForm.astro
  hidden _subject=Nueva cotización | hidden _source=contacto | text* Nombre | tel* Telefono | email* Email → email | text* CP
  select+ Aseguradora=AXA | text Comentarios → message

Formspree, es: MetaDocencia/SitioWeb layouts/shortcodes/formspree.html
  hidden _subject=Nuevo mensaje | trap website | text* name | email* email → email | textarea* message → message

Formspree, ja: beatim-inc/beatim-website layouts/shortcodes/formspree.html
  text* name | text* furigana | text* company | email* email → email | textarea message → message

Formspree, de, multipart: sweti61/mediator-sweti layouts/shortcodes/formspree.html
  email* email → email | textarea message → message | checkbox newsletter=ja | hidden leadsource=Lead Magnet Source

Formspree, en: neighborsof2411/neighbors-of-2411 layouts/shortcodes/formspree.html
  text* name | email* email → email | text neighborhood | select+ interest=email-updates | textarea message → message | trap _gotcha

Formspree, en: diecasting/alumcasting layouts/shortcodes/formspree.html
  hidden _subject=RFQ — New Inquiry | text* name | email* email → email | text company | tel phone
  select material=Aluminum (general) | select process=High-Pressure Die Casting | select annual_volume=Prototype
  textarea* message → message

Formspree, en: vrodreina/myweb _includes/formspree.html
  text* Name | email* Email → email | textarea* Message → message | trap _gotcha | hidden _subject=Subject | hidden _cc=owner@example.com

Formspree, en: Riwajchalise/Law-Space-Website _includes/formspree.html
  email* _replyto → email | textarea* message → message | trap _gotcha

Formspree, en: denkikumo/FraileyLawn _includes/quote-form.html
  text* name | tel* phone | email* email → email | text address | text city | text zipcode | textarea notes → message

Formspree, es, multipart: TKBXPT/test-react src/componentes/form/form.jsx
  text nombre | email email → email | textarea message → message

Formspree, it: (repository not named) theme of a restaurant, page of contact
  text* Name | email* Email → email | text* Subject | textarea* Message → message

Formspree, en: (repository not named) React component Contact of a portfolio
  text* user-name | email* user-email → email | textarea* user-message → message

# Only a phone number tells how to reach the visitor.
Formspree, en, json: (repository not named) landing page for leads
  hidden _subject=New lead | text* name | text* business_name | tel* phone | text pain_point | hidden is_decision_maker=Yes

Formspree, en: (repository not named) Free roof giveaway
  hidden _redirect=https://www.example.org/thank-you | text* First Name → firstName | text* Last Name → lastName
  email* Email → email | tel* Contact Number → phone | text* Address | select+ Heard From=Facebook

Formspree, en: Ashish-Shikhrakar/Training-Academy-website contact_form.php
  text* u_name | email* u_email → email | tel* phone → phone | textarea* u_message → message | submit save=Send Message

Formspree, fr: Amand04/Site-Charles-Cantin-Photograph src/contact.njk
  text lastname → lastName | email email → email | tel phoneNumber → phone | textarea message → message

Netlify, en: washfaq/personal_website content/home/contact.md
  hidden form-name=contact | trap bot-field | text* name | email* email → email | textarea* message → message

Netlify, fr: jboisseur/editionsdusamedi contact.md
  text* name | email* email → email | textarea* message → message

Netlify, de: Volllieb/volllieb.github.io README.md
  hidden form-name=emails | trap bot-field | email* email → email

Netlify, fr: AssoMIP/assomip_public _includes/contact-form.html
  trap website | text name | email email → email | text subject | textarea content → message | token g-recaptcha-response

Netlify, fr: BenjaminLaprise/tam-tam-macadam _includes/contact-form.html
  text name | email email → email | textarea message → message

Netlify, fr: CCLuminy/luminy.org _includes/contact-form.html
  text name | email email → email | option subject[]=leader | option subject[]=follower | textarea message → message

Netlify, pt: Andreribas15/Domain-Registration-Next-Filmes _includes/contact-form.html
  text* name | email* email → email | tel* phone | textarea* message → message | submit submit

Netlify, en: 1973Studio/listinglens-production public/__forms.html
  hidden form-name=contact | trap bot-field | text department | text name | email email → email | text message → message

Netlify, en: 1cmasson/el-club-de-la-amistad public/__forms.html
  hidden form-name=volunteer-signup | text name | email email → email | tel phone | text smsConsent | text language

Netlify, en: 24techdesign/mca-express public/__forms.html
  hidden form-name=job-application | text name | tel phone | email email → email | text position | text experience
  textarea qualifications → message

Netlify, nl: 6ftwardje/socialbrand.be public/__forms.html
  email email → email | trap bot

Netlify, en: Alacran-Studio/latino-professional-directory public/__forms.html
  hidden form-name=contact | text first-name | text last-name | email email → email | text organization-name | text message → message

Netlify, it: Alessiovinci87/centro-emovere public/__forms.html
  text nome | email email → email | tel telefono | select servizio | textarea messaggio → message | checkbox privacy | trap bot-field

Netlify, en: AliveOrdinary/abeyson-polymers public/__forms.html
  hidden form-name=contact | trap bot-field | text name | tel phone | text company | text product | text message → message

# Asks for a note under the name "experience", which says something else.
Netlify, en: AnnHo01/1st_step_driving public/__forms.html
  hidden form-name=contact_form | text fname | email* email → email | tel pnum | textarea experience → message

Netlify, en: AndreasLengyel/angeloakorchestra.com public/__forms.html
  email email → email | trap bot-field | hidden source | hidden subscribed_at

Netlify, en: Arthurreuss/Website_Anisha_Bondy public/__forms.html
  hidden form-name=contact | trap bot-field | text name | email email → email | text organisation
  checkbox concern[]=Stage direction | checkbox concern[]=New format / staged concert | checkbox concern[]=Participatory project
  checkbox concern[]=Workshop | checkbox concern[]=Press | checkbox concern[]=Other | text period | textarea message → message

# "contact" takes an address or a phone number.
Netlify, ja: AtsushiSora/itsukaichi-nishikigoi-center public/__forms.html
  hidden form-name=contact | hidden subject=お問い合わせ | text name | tel contact | select+ consultationType=錦鯉の購入相談
  text koiId | text koiVariety | textarea message → message | trap bot-field

Netlify, en: AverlynPhoto/averlynphoto public/__forms.html
  hidden form-name=averlyn-inquiry | trap bot-field | text name | email email → email | tel phone | select+ session-type=Portraits
  text desired-date | textarea message → message

Netlify, fr: Aymen-Gherdaine/bth-expert public/__forms.html
  hidden form-name=contact | hidden lang | trap bot-field | text name | email email → email | tel phone | textarea message → message
  checkbox consent

Netlify, pt: Alside-Corp/dorah-lp public/__forms.html
  hidden form-name=solicitar-contato | hidden subject=Novo contato pelo site | trap bot-field | text name | email email → email
  tel phone | text company

Netlify, pt: Agencia-Clickasso/adv-site public/__forms.html
  hidden form-name=contact | text name | email email → email | tel phone | text subject | textarea message → message | trap bot-field

Netlify, es: 445599Vincent/portafolio-margge public/__forms.html
  hidden form-name=contacto | trap bot-field | text name | text company | email email → email | text projectType
  textarea message → message

Netlify, hu: ZoltanKassai/pilis-szolgaltatasok layouts/shortcodes/contact-form.html
  hidden form-name=kapcsolat | trap bot-field | text* name | email* email → email | textarea* message → message

Netlify, en: FazliKarabacak/serendipity-tours layouts/shortcodes/contact-form.html
  hidden form-name=contact | hidden subject=New Tour Booking Inquiry | trap bot-field | text* name | email* email → email | tel phone
  date travel_date | select tour_type=treasures-of-turkey | textarea* message → message

Netlify, en: rymader/wedding content/en/rsvp/_index.md
  hidden form-name=rsvp | trap bot-field | text* name | email* email → email | select* attending=Yes | number guests
  textarea message → message

Netlify, en: jamauro/rangerrunning content/contact.md
  trap bot-field | text name | email email → email | select groupsize=1-10 | textarea message → message

Netlify, en: Sultenhest/sk_prog components/layout/ContactForm.vue
  trap bot-field | text* name | email* email → email | textarea* message → message

Netlify, es: pablogiralt/notaria-vilas portfolio/.vuepress/components/ContactForm.vue
  hidden form-name=contacto | text* name | text company | tel* phone | email* email → email | textarea* message → message

# The order of a poster: the discord name tells how to reach the visitor.
Netlify, de: c-auri/Teegenuss _includes/order-form.html
  text discord-username | text discord-id | text connection | text name | text additional-info | text street | text postalcode
  text city | text country | textarea message → message

Netlify, en: macxcool/coolnet.xyz content/subscribe.md
  text name | email email → email | trap extra-field

Netlify, en: lorio/millbrook src/components/ContactForm.js
  trap bot-field | hidden form-name=contact | text name | email email → email | textarea message → message

Netlify, en: privateprep/coding-space-website src/components/Footer/NewsletterForm.js
  trap bot-field | email email → email

Netlify, de: Immo-Be/proj-skurrilum layouts/partials/contact-form.html
  text company → company | text* customer_name | email* customer_email → email | tel phone → phone | text period | number persons
  textarea message → message

Netlify, en: A-Human-Future/ahf-netlify src/contact.njk
  text* full-name | email* email-address → email | tel telephone-number → phone | textarea* details → message
  submit submit-button=send message

Netlify, en: BenBrotherton/CDR layouts/partials/contact.html
  text* Name | text* Surname → lastName | text Company → company | textarea* Address | text* Address2 | text City | text* Postcode
  text Country | tel PhoneNumber → phone | email* Email → email | text* Devicemake | text* Devicemodel | select+ Device Type=null
  text* Serialnumber | textarea Comments → message | checkbox £80 | checkbox £120 | checkbox Royal Mail | checkbox DPD
  checkbox warranty | trap bot-field

Netlify, en: PaulEibensteiner/the-anamorphic-concept layouts/partials/contact-form.html
  radio _interest=true | number _price | textarea message → message | email _email → email | hidden _subject=New survey submission
  trap _gotcha

Netlify, en: aitkenaudio/aitkenaudio layouts/partials/contact-form.html
  trap bot-field | text your_name | email your_email → email | textarea your_message → message | submit contact_submitted=send

Netlify, en: byrge/Hugo-Site-analyticshelp layouts/partials/contact-form.html
  hidden form-name=contact | text* first name → firstName | text* last name → lastName | email* email → email | tel* phone → phone
  textarea* question → message | checkbox tool | checkbox tool | checkbox tool | checkbox tool

Netlify, en: justinHCI/proaxis-ai contact.md
  hidden form-name=contact | trap bot-field | text* name | email* email → email | text company → company | text subject
  textarea* inquiry → message

Netlify, fr: Brunod32/Charles-Cantin src/contact.njk
  email email → email | text message-object | textarea message-content → message

Web3Forms, en, json: PetyaMihaylova/Excercises homework_lecture17.js
  hidden access_key=key | text* name | email* email → email | textarea* message → message

Web3Forms, en: joyjade/zavi site/templates/contact.php
  hidden access_key=key | hidden subject=Contact | hidden from_name=Website Form | text* name | email* email → email
  textarea* message → message | hidden redirect=https://www.example.org/about/thanks/

Web3Forms, es: MuksimDev/arsrepairs.com layouts/shortcodes/contact-form.html
  hidden access_key=key | hidden redirect=/contact-us/thank-you/ | text* name | email* email → email | tel phone | text subject
  textarea* message → message

Web3Forms, en, json: ReallyNguyen/contact pages/index.js
  text name | email email → email | textarea message → message | hidden access_key=key

Web3Forms, en: surjithctly/web3forms-docs getting-started/examples/basic-html-contact-form.md
  hidden apikey=key | hidden subject=New Submission from Web3Forms | hidden redirect=https://web3forms.com/success | text* name
  email* email → email | tel* phone | textarea* message → message

Web3Forms, sv, json: 17Gibson/Tradgardsfixiskane kontakt.html
  hidden access_key=key | hidden subject=Ny offertförfrågan | hidden from_name=webbformulär | email* replyto
  hidden Kundtyp=Privatperson | text* Namn | email* E-post → email | tel* Telefon | text* Ort | select* Tjänst=Rengöring & tvätt
  textarea* Meddelande → message

# "replyto" is the owner's address.
Web3Forms, en: Lourdu-001/Astro_Kytz src/components/Web3Form.astro
  hidden access_key=key | hidden replyto=owner@example.com | hidden from_name=Enquiry | checkbox checkdata=Website Developement
  checkbox checkdata=E-Commerce | checkbox checkdata=Digital Marketing | checkbox checkdata=Branding | text name | text company name
  email Email → email | tel phone | textarea message → message

Web3Forms, en, json: ali-rajaa/fixmypcperth _includes/quote-form.html
  hidden access_key=key | hidden subject=Quote request | hidden Services=Something Else | hidden from_page=services
  textarea Description → message | text* Name | tel* Phone | email* Email → email | radio+ Preferred Contact=WhatsApp

Web3Forms, es: (repository not named) React component contactos
  hidden access_key | hidden redirect=http://localhost:5173/Aform | hidden subject=Tienes una nueva notificación | text name
  text lastname | email email → email | tel phone | textarea message → message

Web3Forms, fr: (repository not named) page of a school of tai chi
  hidden access_key=key | hidden subject=Contact depuis le site | hidden from_name=site | hidden redirect=https://www.example.org/success
  email* email → email | textarea* message → message

Web3Forms, en: (repository not named) React component ContactUs
  hidden from_name=Contact | hidden access_key=key | hidden subject=New Message | hidden redirect=https://www.example.org/thank-you
  text* First Name | text* Last Name | email* email → email | tel* phone | textarea* message → message

Web3Forms, en: (repository not named) Book your slot now
  hidden access_key=key | hidden subject=New Slot Submission | hidden from_name=Website
  hidden redirect=https://www.example.org/thanks | text* name | tel* number → phone

Web3Forms, en: Angeldan21/agdinstallation-website contact.html
  hidden access_key=key | hidden subject=New quote request | hidden from_name=Website | text* name | text company → company
  email* email → email | tel phone → phone | checkbox svc=moving | checkbox svc=relocation | checkbox svc=install
  checkbox svc=systems | checkbox svc=decom | checkbox svc=other | text location | select+ timeline=Within the next month
  select+ size=5,000 – 15,000 sq ft | select+ budget=Not sure yet | textarea message → message

Web3Forms, es: 004charles/ZRD3-Consulting contacto.html
  hidden access_key=key | text* fullname | email* email → email | text* companyname → company | tel phone → phone
  textarea Message → message

Web3Forms, nl: BrabantSchoon/BrabantSchoon contact.html
  hidden access_key=key | hidden subject=Terugbelverzoek | hidden redirect=https://www.example.org/thanks.html | text* naam
  tel* telefoon → phone | email* email → email | text bedrijfsnaam → company | textarea bericht → message

FormSubmit, en: BL-King-Consulting/website _includes/contact-form.html
  hidden _subject=New inquiry | hidden _next=https://www.example.org/thank-you/ | hidden _autoresponse=Thanks for reaching out.
  hidden _captcha=false | trap _honey | text* First Name | text* Last Name | tel* Phone | email* Email → email | textarea* Message → message

FormSubmit, en: tala-it3/website contact.markdown
  text* name | email* email → email | tel phone | textarea* message → message | hidden _subject=Website Form
  hidden _next=https://www.example.org/contact-success.html

FormSubmit, de: ktiu/fundkorb _includes/kontaktformular.html
  hidden _template=box | hidden _cc=owner@example.com | text Name | email* E-Mail → email | textarea* Nachricht → message

FormSubmit, de: dpsg-impeesa/website layouts/shortcodes/contact-form.html
  text* name | email* email → email | tel phone | textarea* message → message | hidden _subject=Neue Kontakt Anfrage
  hidden _next=https://www.example.org/kontakt/ | hidden _template=table | trap _honey | checkbox* terms

FormSubmit, fr: Abudara25/YBcouverture src/components/ContactForm.astro
  hidden _subject=Nouvelle demande de devis | hidden _captcha=false | hidden _template=table
  hidden _next=https://www.example.org/contact/merci/ | trap _honey | text* Nom | tel* Téléphone | email* Email → email
  select+ Type d'intervention=Nettoyage / démoussage de toiture | textarea* Message → message

FormSubmit, en: ConnorBridges/novelty-affiliate-site. contact.md
  hidden _captcha=false | hidden _template=table | text* name | email* email → email | textarea* message → message

FormSubmit, en: Littlememg/php contact.md
  text name | email email → email | textarea message → message | file attachment | textarea content

FormSubmit, en: jbeidler/jbeidler.github.io contact.md
  hidden _next=https://www.example.org/thank-you/ | hidden _subject=New submission! | text* name | email* email → email
  textarea* message → message

FormSubmit, en: huntersteffner/Portfolio-with-React portfolio-with-react/src/components/Contact.js
  hidden _subject=New email from Portfolio | text* name | email* email → email | textarea message → message

FormSubmit, en: sanjothebay/jc_react_portfolio src/components/Contactme/index.js
  text* name | email* email → email | text* message → message

FormSubmit, en: ddboa7/foodbydebora shell.jsx
  text* FNAME → firstName | text* LNAME → lastName | email* EMAIL → email | trap b_51352e5c8308e085e808666b6_fa9051f376

FormSubmit, fr, multipart: Danie-11/eternaglow-vitrine devis.html
  hidden _next=https://www.example.org/merci.html | hidden _captcha=false | text* Nom | email* Email → email | tel Téléphone → phone
  select*+ Type=Bougie | text Thème | text Couleurs | number* Quantité | date Date | text Budget | file Image
  textarea Message → message

FormSubmit, fr: AxeFreezy/ballon contact_form.html
  hidden _next=https://www.example.org/merci.html | text* Nom | email* Email → email | tel* Numéro de téléphone → phone

FormSubmit, nl: 48dgpkws68-spec/ehbodepot contact.html
  hidden _subject=Contactformulier | hidden _next=https://www.example.org/bedankt.html | hidden _captcha=false
  hidden _template=table | trap _honey | text* naam | text bedrijf → company | email* email → email
  select* onderwerp=Vraag over een product | textarea* bericht → message

FormSubmit, nl: 48dgpkws68-spec/ehbodepot offerte.html
  hidden _subject=Offerteaanvraag | hidden _next=https://www.example.org/bedankt.html | hidden _captcha=false | hidden _template=table
  trap _honey | text* bedrijfsnaam → company | text* contactpersoon | email* email → email | tel telefoon → phone
  select* aantal_medewerkers=1-9 | select* branche=kantoor | checkbox interesse[]=EHBO koffers | checkbox interesse[]=Verbandmiddelen
  checkbox interesse[]=AED | checkbox interesse[]=Brandpreventie | checkbox interesse[]=Evacuatie
  checkbox interesse[]=Pictogrammen en verzamelplaats | checkbox interesse[]=Persoonlijke bescherming | checkbox interesse[]=HACCP
  checkbox interesse[]=Voordeelpakketten | checkbox interesse[]=Anders | text product | textarea toelichting → message

# The text is under "subject", and two fields are called "firstname".
Basin, en: connectsoumya/lostrecipes contact-us/index.md
  text firstname | email email → email | trap _gotcha | text firstname | textarea subject | token g-recaptcha-response

Basin, en, multipart: lex111/Platform-1 resources/views/others/contact.blade.php
  text name | email* email → email | textarea* message → message

Basin, en, multipart: mega-arbuz/mega-arbuz.github.io contact.md
  email* email → email | textarea* comment → message | token g-recaptcha-response

# The text is under "subject".
Basin, en: TrellixVulnTeam/portfolio_FQKG portfolio/components/Contact/index.js
  text firstname | text lastname | email email → email | textarea subject | submit button=Submit

Basin, en: bexking/bexking.github.io src/Pages/JS/contact.js
  email email → email | text subject | textarea message → message

Basin, en: NIVEDITHA54/MyPortfolio src/components/contactForm.jsx
  text* name | email* email → email | text* subject | textarea* message → message

Basin, en: (repository not named) React component ProjectPlanner
  text name | email email → email | select project_type=Responsive design | select budget=$5,000 - $10,000
  textarea* description → message | trap _gotcha

Basin, en: (repository not named) Book now with date of birth
  text* name | date* dob | number* age | email* email → email

Basin, es: (repository not named) Jekyll page contacto of an organization
  text* organization → company | text* name | email* email → email | textarea* message → message

StaticForms, de: konstantinthumm/konstantinthumm.github.io contact.md
  hidden accessKey=key | hidden redirectTo=https://www.example.org/danke/ | trap honeypot | text* name | email* email → email
  textarea* message → message

StaticForms, pt: leonardogg123/perfil.github.com contato.php
  text* name | email* email → email | textarea* message → message | hidden accessKey=key

Getform, en: marcmajcher/stemprov-11ty src/contact/index.md
  text name | email email → email | text message → message | trap _gotcha | checkbox+ subscribe=yes | hidden subscribe=no
  radio+ gender=male | select+ work-experience=one-year

Getform, en: sp1thas/sp1thas.github.io content/contact.md
  text name | email email → email | textarea message → message | token cf-turnstile-response

Getform, en: (repository not named) cake builder
  text* title | text* message → message

Getform, en: mdsa97087/Elephant_Sanctuary elephant_sanctury/src/Components/Book/Book.jsx
  text* name | email* email → email | tel number → phone | text Country | date date | textarea message → message

Getform, hr: (repository not named) page of a dentist
  text* name | tel* phone → phone | email* email → email | textarea* comments → message

Un-static, en: techedcollab/techedcollab.github.io docs/contact.md
  text* name | email* email → email | textarea* message → message

Un-static, en: Codingpastor/davidwickssite content/contact/index.md
  text* name | email* email → email | textarea* message → message | submit submit

Formcarry, en: jlengstorf/artisan-static source/contact.blade.php
  text* sender | email* email → email | textarea* message → message | trap _gotcha | submit submit=Send

Formcarry, en: AlapDhruva07/portfolio src/Contact.js
  text name | email email → email | tel phone | textarea message → message

Formcarry, en: (repository not named) Jekyll page How can I help you
  text firstName → firstName | text lastName → lastName | email email → email | textarea message → message

Formcarry, en: 22delta/22delta.com layouts/partials/contact-form.html
  hidden _gotcha | text* name | text job title | text company → company | select* needs=Data Science | select* urgency=Urgent
  tel phone → phone | email* email → email

Formcarry, ru: (repository not named) React form of a landing page
  text fname | tel fnumber | email femail → email | textarea fmessage → message | checkbox fpolicy | token g-recaptcha-response

HeroTofu, da: HLasse/skispormodnord _includes/contact-form.html
  text* name | email* email → email | textarea* message → message

FormBold, en: Honza-m/littletons-handyman _includes/contact-form.html
  email email → email | textarea message → message

Formward, nl: De-Witte-Raaf/dewitteraafdierenartsen.be _includes/contact-form.html
  trap _gotcha | text* name | email* email → email | tel* phone | select* subject=Voeding of medicatie bestellen
  textarea* message → message | checkbox* privacy_consent

# The form has no method of its own: its script is elsewhere.
Formspark, de: MaryamHem/hm-easyumzug-website _includes/booking-form.html
  date* 1_1-Umzugsdatum | checkbox 1_2-FlexiblesDatum2 | text* 2_1-AdresseAuszug | select*+ 2_2-EtageAuszug=EG
  checkbox 2_3-AufzugVorhanden2 | checkbox 2_4-Halteverbot2 | text* 3_1-AdresseEinzug | select*+ 3_2-EtageEinzug=1.OG
  checkbox 3_3-AufzugVorhandenEinzug | checkbox 3_4-HalteverbotEinzug | checkbox 4_1-Einpackservice | checkbox 4_2-Umzugskartons
  checkbox 4_3-MoebelMontage | checkbox 4_4-Einlagerung | checkbox 4_5-EntruempelungUndEntsorgung | text 4_5-WeitereServices
  select+ 5_1-Anrede=Frau | text* 5_2-Vorname | text* 5_3-Nachname | email* 5_4-Email → email | tel 5_5-Telefon
  checkbox 5_6-Umzugsgutliste | checkbox* 5_7-ZustimmungAGB | hidden _redirect=https://calendar.example.org/30min | hidden _append=false

Formspark, cs: LuciaFerenc0608/K-D-Raumaustatter anfrage.html
  hidden _redirect=Danke | text* jmeno | email* email → email | tel telefon → phone | textarea* zprava → message | checkbox* consent

Staticman, en: lisandroCT/lisandroCT.github.io _layouts/blog-post.md
  hidden options[slug]=post | textarea* fields[message] → message | text* fields[name] | email* fields[email] → email
  checkbox field[subscribe]

Google Apps Script, en: tbtommyb/wedding content/rsvp/index.md
  text* first_name | text* second_name | radio* attending=yes | radio* dietary_requirements=none | text requirements_details
  textarea music → message

Google Apps Script, it: fabiolucidi/fabioecarlotta.github.io _includes/rsvp.html
  text* nome | text* cognome | select* prefix=+39 | tel* telefono | email email → email | select* join=Yes | select* arrivo=19/06
  select* shuttle=Yes | select* allergie=Yes | textarea listaAllergie | select* dieta=Yes | select tipoDieta=Vegetarian
  textarea messaggio → message | token token

Google Apps Script, sv: trinning/trinning.github.io _includes/order-form.html
  trap honungsgryta | text* first_name | text* last_name | text* address | text* postnummer | text* postort | number*+ antal_skivor=1
  email* email → email | textarea message → message

# Numbers instead of names: nothing tells which is which.
Google Forms, en: wyaeld/ladybugclean.co.nz _includes/quote-form.html
  text entry.906005434 | tel entry.118586404 | text entry.2083270787 | textarea entry.61273661 → message | hidden draftResponse=[]
  hidden pageHistory=0 | hidden fbzx=-2924623899921827652 | submit submit=Request a Quote

Mailchimp, de: okfde/datensummit _includes/newsletter-form.html
  email* EMAIL → email | submit subscribe | trap b_929f1e07936386d34833e20d1_6c6b5db59f | checkbox+ group[16985][1]=1

# Nothing in the name tells that it holds an address.
Campaign Monitor, en: getkirby/getkirby.com site/snippets/templates/kosmos/form.php
  email* cm-xdildi-xdildi → email | text cm-name

Apps Script, de: drservicede-dot/dr.service.com.de anfrage.html
  text Firma → company | text* Name | email* Email → email | tel* Telefon → phone | text PLZ | text* Ort | text* Leistungen
  number* Flaeche | select+ Haeufigkeit=1x pro Woche | number Verschmutzungsgrad | select+ Budget_Rahmen=Keine Angabe
  number Wunsch_Budget | textarea Nachricht → message

EmailJS, en: 3salaz/grean-react src/components/ContactForm.jsx
  text user_name | text subject | email user_email → email | textarea message → message

EmailJS, es: 0-uy/pagana-pasteleria contacto.html
  text* from_name | text* last_name → lastName | email* from_email → email | text* order_number
  select* contact_reason=Pregunta sobre mi orden | textarea* message → message

EmailJS, fr: Adrix-fr/prestigewash devis.html
  text* nom | tel* telephone → phone | email* email → email | radio* vehicule=citadine | checkbox services=lavage_exterieur
  checkbox services=nettoyage_interieur | checkbox services=traitement_ceramique | checkbox services=detail_complet
  radio* lieu=sur_place | textarea adresse | textarea* disponibilites | textarea remarques → message

generic, es: proyectoCondominio2025/CONDOMINIO formulario.md
  text nombre | email email → email | textarea mensaje → message

generic, fr: meline-p/blog_php parts/contact.php
  email email → email | textarea message → message

generic, pt: stixnix/prova_2 contato.php
  text* nome | email* email → email | textarea* mensagem → message

generic, en: bernardarhia/Articulate templates/contact.php
  text name | email email → email | textarea message → message

generic, en: jamescrg/meditationposture views/contact/form.php
  hidden submitted=1 | text name | email email → email | text subject | textarea body → message | token g-recaptcha-response

generic, en: 9spire/LuvFreq _includes/contact-form.html
  text name | email email → email | text subject | textarea message → message | hidden recipient=owner@example.com

generic, es, text/plain: Elitedomainsx/Defensa-Penal-Cordoba _includes/contact-form.html
  text* Nombre | tel* Telefono | text Ciudad | select+ Tipo de situacion=Detenido | textarea* Mensaje → message

generic, en: Grizzly-Design-Co/saltycityhair.com _includes/contact-form.html
  text* name | email* email → email | text* text | textarea* message → message

generic, en, multipart: Bramley-Village-Society/Bramley-Village-Society.github.io _includes/contact-form.html
  email email → email | text name | textarea message → message | file attachment | hidden _next=https://www.example.org/thanks

generic, en, json: Chr15t1an/7afarms.com _includes/contact-form.html
  trap website | text* name | email* email → email | tel phone | textarea* message → message

generic, en: Hectiq/lospingheros.github.io _includes/contact-form.html
  text* name | email* email → email | textarea message → message

generic, it: alfdagos-grill/AbruzzoDiVino _includes/booking-form.html
  text* name | email* email → email | tel phone | date* date | select* time=10:00 | select* guests=1 | textarea notes → message
  checkbox* privacy

generic, en: DinoPrenc/villa-prenc-web layouts/shortcodes/contact-form.html
  email* email → email | text* subject | text* message → message | hidden hiddenType=exmplHiddenFieldType

generic, nl, json: GentseBC/gentsebc-www-static-hugo layouts/shortcodes/contact-form.html
  text* name | email* email → email | textarea* message → message | token g-recaptcha-response

generic, en: derekdesigns/it162projects fp/simple.php
  text* Name | email* Email → email | tel Phone | textarea Comments → message | token g-recaptcha-response

generic, en: HansGerber/lab-dev-nook views/contact.php
  text contact[name] | email contact[email] → email | textarea contact[message] → message

generic, en: sobujmiah01/webdescode-php assis/form/contact.php
  text* name | email* email → email | text* subject | textarea* message → message

generic, en: morgbillingsley/morganbillingsley-theme index.php
  hidden action=contact | text fname | text lname | email email → email | tel phone | textarea message → message

generic, de: janunger/rheinwerk-video-training Kapitel_5/Lektion_6/emails_loesung/kontakt.php
  email absender_adresse → email | text absender_name | textarea message → message

generic, en: vickysm123/sohom product-sidebar.php
  text* name | tel* phone | email* email → email | textarea message → message | hidden token

generic, ru: Brandos251/task-for-the-university registration.php
  text* name | tel* phone | email* email → email | textarea* problem → message

generic, ru: t-andra/project2 views/feedback.view.php
  text* name | textarea* info → message | email* email → email | tel* tel | submit submit=Отправить

generic, en: Jeremykw/kwmassage _includes/contact_form.html
  text quick-contact-form-name | email quick-contact-form-email → email | textarea quick-contact-form-message → message
  trap quick-contact-form-botcheck | submit quick-contact-form-submit=submit

generic, en: ViaSana/viasana-co _includes/contact_form.html
  text name | email email → email | textarea message → message | hidden inbox_key=contact-form | trap _gotcha

generic, fr, multipart: JanGaud/100-filtres src/components/ContactForm.svelte
  text name | email email → email | tel phone | textarea message → message

# "contact" takes an address or a phone number.
generic, de, json: 7PineService/messie-hilfe src/components/ContactForm.astro
  text name | email* contact → email | textarea* message → message | boolean privacy=true | hidden timestamp=2026-03-01T12:00:00.000Z
  hidden source=landing-page

generic, fr, json: Agattepaille/fee_au_tour src/components/ContactForm.astro
  text* name | email* email → email | textarea* message → message

generic, es, multipart: 5Digital-webs/cdc-venta-de-equipos src/components/ContactForm.astro
  token turnstile_token | text* nombre | email* email → email | tel telefono | text empresa | select* producto=minicargador
  textarea* mensaje → message

generic, en: AIntGottaClue/hsj-plumbing-v2 src/components/ContactForm.astro
  text* name | tel* phone | email email → email | text address | select service=Not sure yet | textarea message → message

generic, en, json: 88velez/finch-hill-restaurant src/components/ContactForm.astro
  hidden subject=Website inquiry | trap bot-field | text* name | email* email → email | tel phone | select service=General inquiry
  textarea* message → message

generic, de: 1Serhat/elternverein kontakt.html
  text* name | text* adress | tel* Telefonnummer | email* email → email | textarea text → message | submit submit

generic, ru: none23/turoboz _includes/order-form.html
  hidden _next=//www.example.org/ | hidden _subject=Заказ | text* Name | email Email → email | tel* Tel

generic, en: StraightUpMasonry/straightupmasons.com _includes/quote-form.html
  text Name | email* _replyto → email | tel Phone | text Addresss | select State=1494484 | text Zip Code | textarea Description → message
  hidden _to=owner@example.com | hidden _subject=Quote Request | trap _gotcha

generic, de, multipart: omercelik/ruempelraeumung.github.io _includes/quote-form.html
  hidden subject=Neue Anfrage über die Website | text* name | email* email → email | tel* phone | text* postcode | date preferred_date
  textarea* message → message | file photos[]

generic, en: wmcooper2/tokyo-python src/pages/contact.jsx
  text* sendersName | email* sendersEmail → email | textarea* message → message

generic, en: sdipis/portfolio_site js/components/TheForm.js
  text firstName | email email → email | textarea message → message

generic, es: MLourdesGri/EntornosGraficos-Grilli PHP-MailSession/Ejercicio2.php
  email* email → email | textarea* text → message

generic, es: yanelricarte/php-talent-camp clase6_integracion/contacto.php
  text* nombre | text* apellido | email* correo → email | textarea* mensaje → message

generic, ru: chistowick/mybooks includes/feedback.php
  text* feedback_user_name | email* feedback_user_email → email | text* feedback_message_subject | textarea* feedback_message → message

# "contact" takes an address or a phone number.
generic, en: SKD151105/Kingsway-Site-Project enquiry.php
  text* name | tel* contact | text* address | text* enquiry → message | text* feedback

generic, en: anis3139/saad_contact includes/Frontend/views/wp_contact_new.php
  text* name | email email → email | tel phone | text subject | textarea message → message | hidden field_id=0 | hidden wp_contact=1

generic, en: erikdenboer/WeddingWebsite rsvp.php
  text* guest | select+ rsvp=yes | select+ groupsize=none | select+ food=meat | textarea message → message | email email → email

generic, fr: (repository not named) WordPress form of a school of web design
  text your-firstname | text your-name | text your-society | email your-email → email | textarea your-message → message

generic, de: HeroBenBen/herowerk-website index.html
  text* vorname → firstName | text* nachname → lastName | email* email → email | tel telefon → phone | text adresse | text ort
  select+ heizung=Gasheizung (Zentralheizung) | checkbox+ interesse=waermepumpe | checkbox interesse=klimaanlage
  checkbox interesse=photovoltaik | text empfehlung | textarea nachricht → message

generic, de: HerwardTimm/HerwardTimm anfrage.html
  text* firma → company | select* branche=one | number* mitarbeiter | number*+ standorte=1 | text plz | select bg=BG BAU
  text bgnummer | radio+ model=regel | checkbox hazards=Elektro | checkbox hazards=Höhe | checkbox hazards=Gefahrstoffe
  checkbox hazards=Bildschirmarbeit | checkbox hazards=Körperliche Belastung | checkbox hazards=Maschinen | checkbox hazards=Lärm
  checkbox hazards=Verkehr | checkbox hazards=Kundenkontakt | radio gbu=ja | radio bso=ja | radio frp=ja | radio hyg=ja | text* name
  text rolle | email* email → email | tel tel → phone | date startdatum | select anlass=Neueinrichtung Arbeitssicherheit
  textarea notiz → message

generic, en: 00tatheer00/SmileOn-Dubai booking.html
  text* shipper_name | email* shipper_email → email | tel* shipper_phone → phone | text shipper_address | text* receiver_name
  email receiver_email | text receiver_phone | text receiver_address | text goods_type | select+ package_type=Box | number packages
  text weight | text dimensions | text goods_value | select+ transport_mode=Truck | select+ incoterms=EXW
  select+ delivery_speed=Standard | radio+ insurance=Yes | checkbox special[]=Fragile | checkbox special[]=Perishable
  checkbox special[]=Hazardous | checkbox special[]=Oversized | date pickup_date | time pickup_time | date delivery_deadline
  select+ payment_method=Credit Card | text billing_address | textarea notes → message | checkbox* agree_terms

generic, en: 1521-Hotel/Website contact-us.html
  text name | email email → email | tel number → phone | textarea message → message

generic, en: 360DMMC-AI-Marketing/360DMMC-LATAM src/components/ApplyForm.jsx
  text* firstname → firstName | email* email → email | select* position=one | file resume | textarea cover_letter → message

generic, en: 3615Jam/3615jam contact.html
  email* input_email → email | textarea* input_message → message

generic, en: AdroitAnurag/adroitanurag.github.io contact.html
  text vname | email vemail → email | text sub | textarea msg → message | submit submit=Send

generic, en: Alloffices/TestFormPhp contact-us.html
  text name | email email → email | tel number → phone | text business

generic, en: AomBuild/AandL-Wedding.githib.io rsvp.html
  text fName → firstName | text lName → lastName | radio RSVP=WILL BE ATTENDING | checkbox foodPreferences=Vegetarian
  checkbox foodPreferences=Pescatarian | checkbox foodPreferences=Vegan | checkbox foodPreferences=fussy | hidden otherFoodPreferences
  checkbox allergies=Eggs | checkbox allergies=Dairy | checkbox allergies=Peanuts | checkbox allergies=TreeNuts
  checkbox allergies=Gluten | checkbox allergies=Fish | checkbox allergies=ShellFish | checkbox allergies=Sesame
  hidden otherAllergies | textarea comments → message

generic, en: Astarand/The-Karnataka-Tourism contact.php
  text name | tel number → phone | email email → email | textarea message → message

generic, en: craftleadership/craftleadership.github.io _includes/insightly.html
  hidden formId=key | text FirstName → firstName | text LastName → lastName | text Organization → company | text Role
  email emails[0].Value → email

generic, es: 0-uy/pagana-pasteleria productos.html
  text* nombre | text* apellido → lastName | email* email → email | tel* telefono → phone | text* direccion | date* fechaRetiro
  textarea notas → message | select* pago=efectivo

generic, it: 7VaGe/parsecsolutions.github.io contatti.html
  text* nome | text azienda → company | email* email → email | select+ oggetto=SAP Applications | textarea* msg → message

generic, nl: ArdonToonstra/xandria layouts/partials/contact-form.html
  trap website | hidden _timestamp | text* voornaam → firstName | text* achternaam → lastName | email* email → email
  tel telefoon → phone | textarea* bericht → message | hidden secret

generic, nl: Arnajax/tdztotaalbouw offerte.html
  text* voornaam → firstName | text* achternaam → lastName | email* email → email | tel* telefoon → phone | text adres
  select* dienst=badkamer | textarea* omschrijving → message | select planning=zsm

generic, nl: BrunsmannExperts/brunsmann-experts offerte.html
  text soort | text merk | number lengte | select materiaal=Polyester | number bouwjaar | number motoren | number generatoren
  select dienst=Aankoopkeuring | text locatie | date datum | email email → email | textarea opmerking → message | textarea intern

generic, nl: RombautBusiness/RombautBusiness.github.io offerte/index.html
  text name | email email → email | text address | text postcode | text plaats | tel gsm → phone | text address_pand
  text postcode_pand | text plaats_pand | select soort_woning=Eensgezinswoning | select type_onderzoek=Destructief
  select grondplannen_beschikbaar=Ja | select bestaand_asbestonderzoek=Ja | select verbouwingen_na_2001=Ja | select kelder=Ja
  select zolder=Ja | select bijgebouwen=Ja | text aantal_bouwlagen | text oppervlakte | textarea opmerkingen → message

generic, nl: TeamICT-codex/keloborspringkastelen offerte.html
  radio+ aanvraagtype=Beschikbaarheid checken | text* naam | tel* telefoon → phone | email* email → email | date* datum
  text* gemeente | select springkasteel=one | select type_feest=Verjaardag | number aantal | textarea opmerkingen → message
  trap website

generic, pt: 071Gaybol/Bikcraft-projeto orcamento.html
  radio tipo=bikcraft | radio produto=nimbus | text nome | text sobrenome → lastName | text cpf | email email → email | text cep
  text numero | text logradouro | text bairro | text cidade | text estado

generic, pt: Alyne13/Destake-Arte---Site orcamento.html
  text* produtoServico | textarea* detalhes → message
`;

const readField = (text: string): unknown => {
  const { type, marks, name, value, holds } =
    /^(?<type>[a-z]+)(?<marks>[*+]*) (?<name>[^=]+?)(?:=(?<value>.*?))?(?: → (?<holds>.+))?$/.exec(text)?.groups ?? {};
  return {
    type,
    required: marks?.includes('*'),
    preset: marks?.includes('+'),
    name: name?.replace(/^"(.*)"$/, '$1'),
    value,
    holds,
  };
};

const readForm = (text: string): unknown => {
  const [head = '', ...lines] = text.split('\n').filter((line) => !line.startsWith('#'));
  const { service, language, encoding, from } =
    /^(?<service>[^,]+), (?<language>[a-z]{2})(?:, (?<encoding>[a-z/]+))?: (?<from>.+)$/.exec(head)?.groups ?? {};
  const fields = lines.flatMap((line) => line.trim().split(' | ')).map(readField);
  return { service, language, encoding: encoding ?? 'urlencoded', from, fields };
};

export const readForms = (text: string): readonly CorpusForm[] =>
  v.parse(v.array(form), text.trim().split(/\n\n+/).map(readForm));

export const corpus = readForms(table);

const readFile = (name: string) => readForms(readFileSync(join(import.meta.dirname, name), 'utf8'));

/** Forms in other languages. `→ name` and `→ subject` mark what holds the visitor's whole name and the subject. */
export const otherLanguages = readFile('other-languages.txt');

/** Samples that were collected and marked before any rule saw them. */
export const control = readFile('control.txt');
