import type { Language } from './language.ts';

export const fr = {
  tag: 'fr',
  dir: 'ltr',
  labels: {
    email: 'Adresse e-mail',
    phone: 'Numéro de téléphone',
    company: 'Entreprise',
    message: 'Message',
    firstName: 'Prénom',
    lastName: 'Nom',
    body: 'Le formulaire',
  },
  faults: {
    required: {
      emailOrPhone: 'Indiquez une adresse e-mail ou un numéro de téléphone afin que nous puissions vous répondre.',
      message: 'Écrivez un message.',
      other: 'Remplissez ce champ.',
    },
    too_long: 'Ne dépassez pas {limit} caractères.',
    too_many: 'Envoyez moins de champs ou de valeurs : {limit} au maximum.',
    too_large: 'Raccourcissez les autres champs : {limit} octets au maximum pour l’ensemble.',
    invalid_email: 'Indiquez une adresse e-mail valide, par exemple nom@example.com.',
    invalid_phone:
      'Indiquez un numéro de téléphone valide, d’au moins 3 chiffres. Outre les chiffres, seuls les espaces et + ( ) - . / x # sont admis.',
    control_character:
      'Supprimez les caractères de contrôle. Les sauts de ligne ne sont admis que dans les champs sur plusieurs lignes.',
    not_text: 'Envoyez cette valeur sous forme de texte.',
    malformed_text: 'Envoyez un texte valide en UTF-8 : un caractère est endommagé.',
    invalid_name: 'Donnez à ce champ un nom de 1 à {limit} caractères, sans caractère de contrôle.',
    malformed_json: 'Envoyez du JSON valide.',
    not_an_object: 'Envoyez un objet JSON.',
    malformed_multipart: 'Ce contenu multipart est endommagé ou incomplet, ou son délimiteur (boundary) est manquant.',
    encoded_part: 'Envoyez les parties telles quelles, sans Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Utilisez de 1 à {limit} caractères ASCII visibles, par exemple un UUID.',
    idempotency_key_reused: 'Cette clé a déjà servi avec un autre contenu : envoyez-en une nouvelle.',
  },
  backToSite: 'Retour au site',
  thanks: {
    title: 'Merci',
    text: 'Votre message nous est bien parvenu.',
  },
  refusal: {
    title: 'Votre message n’a pas été envoyé',
    correct: 'Veuillez corriger les champs suivants, puis envoyer à nouveau votre message :',
    reasons: {
      403: 'Ce formulaire n’est pas autorisé à envoyer des messages. Veuillez contacter le responsable du site par un autre moyen.',
      413: 'Votre message est trop long. Veuillez le raccourcir, puis l’envoyer à nouveau.',
      415: 'Le formulaire a envoyé autre chose que du texte, par exemple un fichier. Veuillez envoyer votre message sans fichier.',
      503: 'Le service est momentanément indisponible. Veuillez envoyer à nouveau votre message dans une minute.',
    },
    otherReason: 'Une erreur s’est produite de notre côté. Veuillez réessayer plus tard.',
    goBack: 'Utilisez le bouton « Précédent » de votre navigateur : ce que vous avez écrit devrait encore s’y trouver.',
  },
} as const satisfies Language;
