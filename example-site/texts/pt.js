// The texts in Portuguese. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'pt',
  sending: 'Enviando…',
  arrived: 'Obrigado. Recebemos a sua mensagem.',
  mistakes: 'Corrija os erros e envie novamente a sua mensagem.',
  captcha: 'Conclua a verificação de segurança e envie novamente a sua mensagem.',
  unreachable: 'O serviço está inacessível. Verifique a sua conexão com a internet e envie novamente a sua mensagem.',
  403: 'Não foi possível aceitar a sua mensagem. Fale com o responsável pelo site por outro meio.',
  413: 'A sua mensagem é longa demais. Reduza o texto e envie-a novamente.',
  415: 'Este formulário só aceita texto. Envie a sua mensagem sem anexos.',
  429: 'Há mensagens demais neste momento. Envie novamente a sua mensagem {when}.',
  500: 'Ocorreu um erro no nosso sistema. Envie novamente a sua mensagem mais tarde.',
  503: 'O serviço está temporariamente indisponível. Envie novamente a sua mensagem {when}.',
  required: 'Este campo é obrigatório.',
  too_long: 'Reduza o texto: no máximo {limit} caracteres.',
  invalid_email: 'Indique um e-mail válido, por exemplo, name@example.com.',
  invalid_phone: 'Indique um número de telefone com pelo menos 3 dígitos.',
};
