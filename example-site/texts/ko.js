// The texts in Korean. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'ko',
  sending: '보내는 중…',
  arrived: '감사합니다. 메시지가 접수되었습니다.',
  mistakes: '오류를 수정한 후 메시지를 다시 보내 주세요.',
  captcha: '보안 확인을 완료한 후 메시지를 다시 보내 주세요.',
  unreachable: '서비스에 연결할 수 없습니다. 인터넷 연결을 확인한 후 메시지를 다시 보내 주세요.',
  403: '메시지를 접수할 수 없었습니다. 다른 방법으로 연락해 주세요.',
  413: '메시지가 너무 깁니다. 내용을 줄인 후 다시 보내 주세요.',
  415: '이 양식으로는 텍스트만 보낼 수 있습니다. 파일 없이 메시지를 보내 주세요.',
  429: '메시지가 너무 많이 들어오고 있습니다. {when}에 메시지를 다시 보내 주세요.',
  500: '서버에 문제가 발생했습니다. 나중에 메시지를 다시 보내 주세요.',
  503: '서비스를 일시적으로 이용할 수 없습니다. {when}에 메시지를 다시 보내 주세요.',
  required: '필수 입력 항목입니다.',
  too_long: '{limit}자 이내로 줄여 주세요.',
  invalid_email: '올바른 이메일 주소를 입력해 주세요(예: name@example.com).',
  invalid_phone: '숫자가 3자리 이상인 전화번호를 입력해 주세요.',
};
