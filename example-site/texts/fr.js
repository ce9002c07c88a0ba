// The texts in French. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'fr',
  sending: 'Envoi en cours…',
  arrived: 'Merci. Votre message nous est bien parvenu.',
  mistakes: 'Veuillez corriger les erreurs, puis envoyer à nouveau votre message.',
  captcha: 'Veuillez effectuer la vérification de sécurité, puis envoyer à nouveau votre message.',
  unreachable: 'Le service est inaccessible. Veuillez vérifier votre connexion Internet, puis envoyer à nouveau votre message.',
  403: 'Votre message n’a pas pu être accepté. Veuillez nous contacter par un autre moyen.',
  413: 'Votre message est trop long. Veuillez le raccourcir, puis l’envoyer à nouveau.',
  415: 'Ce formulaire n’accepte que du texte. Veuillez envoyer votre message sans fichier joint.',
  429: 'Nous recevons trop de messages en ce moment. Veuillez envoyer à nouveau le vôtre {when}.',
  500: 'Une erreur s’est produite de notre côté. Veuillez envoyer à nouveau votre message plus tard.',
  503: 'Le service est momentanément indisponible. Veuillez envoyer à nouveau votre message {when}.',
  required: 'Ce champ est obligatoire.',
  too_long: 'Veuillez ne pas dépasser {limit} caractères.',
  invalid_email: 'Veuillez indiquer une adresse e-mail valide, par exemple name@example.com.',
  invalid_phone: 'Veuillez indiquer un numéro de téléphone d’au moins 3 chiffres.',
};
