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
    too_long: 'Limitez ce texte à {limit} caractères.',
    too_many: 'Envoyez moins de champs ou de valeurs : {limit} au maximum.',
    too_large: 'Les autres champs sont trop longs dans l’ensemble : {limit} octets au maximum.',
    invalid_email: 'Indiquez une adresse e-mail, par exemple name@example.com.',
    invalid_phone:
      'Indiquez un numéro de téléphone : au moins 3 chiffres, et sinon seulement des espaces et + ( ) - . / x #.',
    control_character: 'Retirez les caractères de contrôle ; un champ d’une ligne n’accepte pas de saut de ligne.',
    not_text: 'Envoyez ceci sous forme de texte.',
    malformed_text: 'Envoyez un texte bien formé, en UTF-8 : un caractère est endommagé.',
    invalid_name: 'Donnez à ce champ un nom de 1 à {limit} caractères, sans caractère de contrôle.',
    malformed_json: 'Ceci n’est pas du JSON valide.',
    not_an_object: 'Envoyez un objet JSON.',
    malformed_multipart: 'Ce contenu multipart est endommagé, incomplet ou sans délimiteur (boundary).',
    encoded_part: 'Envoyez les parties telles quelles, sans Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Utilisez de 1 à {limit} caractères ASCII visibles, par exemple un UUID.',
    idempotency_key_reused: 'Cette clé a déjà servi avec un autre contenu : envoyez-en une nouvelle.',
  },
  thanks: {
    title: 'Merci',
    text: 'Votre message est bien arrivé.',
    backToSite: 'Retour au site',
  },
  refusal: {
    title: 'Votre message n’a pas été envoyé',
    correct: 'Veuillez corriger ceci, puis renvoyer votre message :',
    reasons: {
      403: 'Ce formulaire n’est pas autorisé à envoyer des messages ici. Veuillez joindre le propriétaire du site par un autre moyen.',
      413: 'Votre message est trop long. Veuillez le raccourcir, puis le renvoyer.',
      415: 'Le formulaire a envoyé autre chose que du texte, par exemple un fichier. Veuillez envoyer votre message sans celui-ci.',
      503: 'Le service est momentanément indisponible. Veuillez renvoyer votre message dans une minute.',
    },
    otherReason: 'Une erreur s’est produite de notre côté. Veuillez réessayer plus tard.',
    goBack: 'Revenez en arrière dans votre navigateur : ce que vous avez écrit devrait encore s’y trouver.',
    startAgain: 'Recommencer sur le site',
  },
} as const satisfies Language;
