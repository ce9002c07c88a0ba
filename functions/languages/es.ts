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
    body: 'Formulario',
  },
  errors: {
    required: {
      emailOrPhone: 'Indique una dirección de correo electrónico o un número de teléfono para que podamos responderle.',
      message: 'Escriba un mensaje.',
      other: 'Este campo es obligatorio.',
      oneOfSeveral: 'Rellene al menos uno de estos campos.',
    },
    too_long: 'No supere los {limit} caracteres.',
    too_many: 'Envíe menos campos o valores: {limit} como máximo.',
    too_large: 'Acorte el contenido de los demás campos: {limit} bytes en total como máximo.',
    invalid_email: 'Indique una dirección de correo electrónico válida, por ejemplo, nombre@example.com.',
    invalid_phone:
      'Indique un número de teléfono válido, con al menos 3 dígitos. Aparte de los dígitos, solo se admiten espacios y los signos + ( ) - . / x #.',
    control_character:
      'Elimine los caracteres de control. Los saltos de línea solo se admiten en campos de varias líneas.',
    not_text: 'Aquí solo se puede enviar texto.',
    malformed_text: 'Un carácter llegó dañado: escriba sin acentos, o envíe el texto en UTF-8.',
    invalid_name:
      'Solo el propietario del sitio puede corregir este error del formulario: el nombre del campo debe tener de 1 a {limit} caracteres, sin caracteres de control.',
    malformed_json: 'Envíe un JSON válido.',
    not_an_object: 'Envíe un objeto JSON.',
    malformed_multipart: 'Este contenido multipart está dañado o incompleto, o le falta el delimitador (boundary).',
    encoded_part: 'Envíe las partes tal cual, sin Content-Transfer-Encoding.',
    invalid_idempotency_key: 'Use de 1 a {limit} caracteres ASCII visibles, por ejemplo, un UUID.',
    idempotency_key_reused: 'Esta clave ya se usó con otro contenido: envíe una nueva.',
  },
  backToSite: 'Volver a {site}',
  thanks: {
    title: 'Gracias',
    text: 'Hemos recibido su mensaje.',
  },
  refusal: {
    title: 'Su mensaje no se ha enviado',
    correct: 'Corrija los siguientes campos y vuelva a enviar el mensaje:',
    fillIn: 'Rellene el formulario y vuelva a enviarlo.',
    reasons: {
      403: 'No se pueden enviar mensajes desde este formulario. Póngase en contacto con el responsable del sitio web por otro medio.',
      413: 'Su mensaje es demasiado largo. Acórtelo y vuelva a enviarlo.',
      415: 'Este formulario solo admite texto. Envíe su mensaje sin archivos adjuntos.',
      503: 'El servicio no está disponible en este momento. Vuelva a enviar su mensaje dentro de un minuto.',
    },
    otherReason: 'Se ha producido un error en nuestro sistema. Inténtelo de nuevo más tarde.',
    goBack: 'Vuelva al formulario con el botón «Atrás» de su navegador: lo que ha escrito debería seguir ahí.',
  },
} as const satisfies Language;
