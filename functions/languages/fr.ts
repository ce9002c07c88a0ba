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
    body: 'Formulaire',
  },
  errors: {
    required: {
      emailOrPhone:
        'Veuillez indiquer une adresse e-mail ou un numéro de téléphone afin que nous puissions vous répondre.',
      message: 'Veuillez écrire un message.',
      other: 'Ce champ est obligatoire.',
      oneOfSeveral: 'Remplissez au moins un de ces champs.',
    },
    too_long: 'Veuillez ne pas dépasser {limit} caractères.',
    too_many: 'Envoyez moins de champs ou de valeurs : {limit} au maximum.',
    too_large: 'Veuillez raccourcir le contenu des autres champs : {limit} octets au maximum pour l’ensemble.',
    invalid_email: 'Veuillez indiquer une adresse e-mail valide, par exemple nom@example.com.',
    invalid_phone:
      'Veuillez indiquer un numéro de téléphone valide, d’au moins 3 chiffres. Outre les chiffres, seuls les espaces et les caractères + ( ) - . / x # sont admis.',
    control_character:
      'Veuillez supprimer les caractères de contrôle. Les sauts de ligne ne sont admis que dans les champs multilignes.',
    not_text: 'Seul du texte peut être envoyé ici.',
    malformed_text: 'Un caractère est arrivé corrompu : écrivez sans accents, ou envoyez le texte en UTF-8.',
    invalid_name:
      'Seul le propriétaire du site peut corriger cette erreur du formulaire : le nom du champ doit avoir de 1 à {limit} caractères, sans caractère de contrôle.',
    malformed_json: 'Envoyez du JSON valide.',
    not_an_object: 'Envoyez un objet JSON.',
    malformed_multipart: 'Ce contenu multipart est endommagé ou incomplet, ou son délimiteur (boundary) est manquant.',
    encoded_part: 'Envoyez les parties telles quelles, sans Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Utilisez de 1 à {limit} caractères ASCII visibles, par exemple un UUID.',
    idempotency_key_reused: 'Cette clé a déjà servi avec un autre contenu : envoyez-en une nouvelle.',
  },
  backToSite: 'Retour à {site}',
  thanks: {
    title: 'Merci',
    text: 'Votre message nous est bien parvenu.',
  },
  refusal: {
    title: 'Votre message n’a pas été envoyé',
    correct: 'Veuillez corriger les champs suivants, puis envoyer à nouveau votre message :',
    fillIn: 'Veuillez remplir le formulaire, puis l’envoyer à nouveau.',
    reasons: {
      403: 'Ce formulaire ne permet pas d’envoyer de messages. Veuillez contacter le responsable du site par un autre moyen.',
      413: 'Votre message est trop long. Veuillez le raccourcir, puis l’envoyer à nouveau.',
      415: 'Ce formulaire n’accepte que du texte. Veuillez envoyer votre message sans fichier joint.',
      503: 'Le service est momentanément indisponible. Veuillez envoyer à nouveau votre message dans une minute.',
    },
    otherReason: 'Une erreur s’est produite de notre côté. Veuillez réessayer plus tard.',
    goBack:
      'Veuillez revenir au formulaire avec le bouton « Précédent » de votre navigateur : ce que vous avez saisi devrait encore s’y trouver.',
  },
} as const satisfies Language;
