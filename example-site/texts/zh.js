// The texts in Chinese. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'zh',
  sending: '正在发送…',
  arrived: '谢谢。我们已收到您的留言。',
  mistakes: '请更正错误，然后重新发送留言。',
  captcha: '请完成安全验证，然后重新发送留言。',
  unreachable: '无法连接到服务。请检查您的网络连接，然后重新发送留言。',
  403: '您的留言未能被接收。请以其他方式联系我们。',
  413: '您的留言太长。请缩短后重新发送。',
  415: '此表单只能发送文本。请不要附带文件，重新发送留言。',
  429: '收到的留言过多。请在{when}重新发送留言。',
  500: '我们这边出现了问题。请稍后重新发送留言。',
  503: '服务暂时不可用。请在{when}重新发送留言。',
  required: '此项为必填项。',
  too_long: '请缩短内容，最多 {limit} 个字符。',
  invalid_email: '请填写有效的电子邮箱，例如 name@example.com。',
  invalid_phone: '请填写至少包含 3 位数字的电话号码。',
};
