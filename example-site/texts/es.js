// The texts in Spanish. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'es',
  sending: 'Enviando…',
  arrived: 'Gracias. Hemos recibido su mensaje.',
  mistakes: 'Corrija los errores y vuelva a enviar el mensaje.',
  captcha: 'Complete la verificación de seguridad y vuelva a enviar su mensaje.',
  unreachable: 'No se ha podido conectar con el servicio. Compruebe su conexión a internet y vuelva a enviar el mensaje.',
  403: 'No hemos podido aceptar su mensaje. Póngase en contacto con nosotros por otro medio.',
  413: 'Su mensaje es demasiado largo. Acórtelo y vuelva a enviarlo.',
  415: 'Este formulario solo admite texto. Envíe su mensaje sin archivos adjuntos.',
  429: 'Estamos recibiendo demasiados mensajes en este momento. Vuelva a enviar el suyo {when}.',
  500: 'Se ha producido un error en nuestro sistema. Vuelva a enviar su mensaje más tarde.',
  503: 'El servicio no está disponible en este momento. Vuelva a enviar su mensaje {when}.',
  required: 'Este campo es obligatorio.',
  too_long: 'No supere los {limit} caracteres.',
  invalid_email: 'Indique una dirección de correo electrónico válida, por ejemplo, name@example.com.',
  invalid_phone: 'Indique un número de teléfono con al menos 3 dígitos.',
};
