import type { Language } from './language.ts';

export const es = {
  tag: 'es',
  dir: 'ltr',
  labels: {
    email: 'Correo electrónico',
    phone: 'Número de teléfono',
    company: 'Empresa',
    message: 'Mensaje',
    firstName: 'Nombre',
    lastName: 'Apellidos',
    body: 'El formulario',
  },
  faults: {
    required: {
      email: 'Indique un correo electrónico o un número de teléfono, para que se le pueda responder.',
      message: 'Escriba un mensaje.',
    },
    too_long: 'Limite este texto a {limit} caracteres.',
    too_many: 'Envíe menos campos o valores: {limit} como máximo.',
    too_large: 'Los demás campos son demasiado largos en conjunto: {limit} bytes como máximo.',
    invalid_email: 'Indique un correo electrónico, por ejemplo name@example.com.',
    invalid_phone: 'Indique un número de teléfono: al menos 3 cifras, y además solo espacios y + ( ) - . / x #.',
    control_character: 'Quite los caracteres de control; un campo de una línea no admite saltos de línea.',
    not_text: 'Envíe esto como texto.',
    malformed_text: 'Envíe un texto bien formado, en UTF-8: aquí hay un carácter dañado.',
    invalid_name: 'Dé a este campo un nombre de 1 a {limit} caracteres, sin caracteres de control.',
    malformed_json: 'Esto no es JSON válido.',
    not_an_object: 'Envíe un objeto JSON.',
    malformed_multipart: 'Este contenido multipart está dañado, incompleto o sin delimitador (boundary).',
    encoded_part: 'Envíe las partes tal como son, sin Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Use de 1 a {limit} caracteres ASCII visibles, por ejemplo un UUID.',
    idempotency_key_reused: 'Esta clave ya se usó con otro contenido: envíe una nueva.',
  },
  thanks: {
    title: 'Gracias',
    text: 'Su mensaje ha llegado.',
    backToSite: 'Volver al sitio',
  },
  refusal: {
    title: 'Su mensaje no se ha enviado',
    correct: 'Corrija esto, por favor, y vuelva a enviar su mensaje:',
    reasons: {
      403: 'Este formulario no tiene permiso para enviar mensajes aquí. Diríjase al propietario del sitio por otro medio.',
      413: 'Su mensaje es demasiado largo. Acórtelo, por favor, y vuelva a enviarlo.',
      415: 'El formulario ha enviado algo que no es texto, por ejemplo un archivo. Envíe su mensaje sin él, por favor.',
      503: 'El servicio no está disponible en este momento. Vuelva a enviar su mensaje dentro de un minuto, por favor.',
    },
    otherReason: 'Algo ha fallado por nuestra parte. Inténtelo de nuevo más tarde, por favor.',
    goBack: 'Vuelva atrás en su navegador: lo que ha escrito debería seguir ahí.',
    startAgain: 'Empezar de nuevo en el sitio',
  },
} as const satisfies Language;
