// The texts in Vietnamese. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'vi',
  sending: 'Đang gửi…',
  arrived: 'Cảm ơn bạn. Chúng tôi đã nhận được tin nhắn của bạn.',
  mistakes: 'Vui lòng sửa các lỗi rồi gửi lại tin nhắn.',
  captcha: 'Vui lòng hoàn tất bước kiểm tra bảo mật rồi gửi lại tin nhắn.',
  unreachable: 'Không thể kết nối với dịch vụ. Vui lòng kiểm tra kết nối internet rồi gửi lại tin nhắn.',
  403: 'Không thể tiếp nhận tin nhắn của bạn. Vui lòng liên hệ với chúng tôi bằng cách khác.',
  413: 'Tin nhắn của bạn quá dài. Vui lòng rút ngắn rồi gửi lại.',
  415: 'Biểu mẫu này chỉ gửi được văn bản. Vui lòng gửi tin nhắn không kèm tệp.',
  429: 'Có quá nhiều tin nhắn đang được gửi đến. Vui lòng gửi lại tin nhắn {when}.',
  500: 'Đã xảy ra lỗi ở phía chúng tôi. Vui lòng gửi lại tin nhắn sau.',
  503: 'Dịch vụ tạm thời không khả dụng. Vui lòng gửi lại tin nhắn {when}.',
  required: 'Trường này là bắt buộc.',
  too_long: 'Vui lòng rút ngắn nội dung này. Số ký tự tối đa: {limit}.',
  invalid_email: 'Vui lòng nhập địa chỉ email hợp lệ, ví dụ name@example.com.',
  invalid_phone: 'Vui lòng nhập số điện thoại có ít nhất 3 chữ số.',
};
