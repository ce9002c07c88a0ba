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
      emailOrPhone: 'Indique un correo electrónico o un número de teléfono para que podamos responderle.',
      message: 'Escriba un mensaje.',
      other: 'Rellene este campo.',
    },
    too_long: 'No supere los {limit} caracteres.',
    too_many: 'Envíe menos campos o valores: {limit} como máximo.',
    too_large: 'Acorte los demás campos: {limit} bytes en total como máximo.',
    invalid_email: 'Indique un correo electrónico válido, por ejemplo, nombre@example.com.',
    invalid_phone:
      'Indique un número de teléfono válido: al menos 3 dígitos; además, solo se admiten espacios y + ( ) - . / x #.',
    control_character:
      'Elimine los caracteres de control. Los saltos de línea solo se admiten en campos de varias líneas.',
    not_text: 'Envíe este valor como texto.',
    malformed_text: 'Envíe un texto válido en UTF-8: hay un carácter dañado.',
    invalid_name: 'Asigne a este campo un nombre de 1 a {limit} caracteres, sin caracteres de control.',
    malformed_json: 'Envíe un JSON válido.',
    not_an_object: 'Envíe un objeto JSON.',
    malformed_multipart: 'Este contenido multipart está dañado o incompleto, o le falta el delimitador (boundary).',
    encoded_part: 'Envíe las partes tal cual, sin Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Use de 1 a {limit} caracteres ASCII visibles, por ejemplo, un UUID.',
    idempotency_key_reused: 'Esta clave ya se usó con otro contenido: envíe una nueva.',
  },
  backToSite: 'Volver al sitio web',
  thanks: {
    title: 'Gracias',
    text: 'Hemos recibido su mensaje.',
  },
  refusal: {
    title: 'Su mensaje no se ha enviado',
    correct: 'Corrija los siguientes campos y vuelva a enviar el mensaje:',
    reasons: {
      403: 'Este formulario no tiene permiso para enviar mensajes. Póngase en contacto con el responsable del sitio web por otro medio.',
      413: 'Su mensaje es demasiado largo. Acórtelo y vuelva a enviarlo.',
      415: 'El formulario ha enviado algo que no es texto, por ejemplo, un archivo. Envíe su mensaje sin archivos.',
      503: 'El servicio no está disponible en este momento. Vuelva a enviar su mensaje dentro de un minuto.',
    },
    otherReason: 'Se ha producido un error en nuestro sistema. Inténtelo de nuevo más tarde.',
    goBack: 'Utilice el botón «Atrás» de su navegador: lo que ha escrito debería seguir ahí.',
  },
} as const satisfies Language;
