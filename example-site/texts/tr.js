// The texts in Turkish. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'tr',
  sending: 'Gönderiliyor…',
  arrived: 'Teşekkür ederiz. Mesajınızı aldık.',
  mistakes: 'Lütfen hataları düzeltin ve mesajınızı yeniden gönderin.',
  captcha: 'Lütfen güvenlik doğrulamasını tamamlayın ve mesajınızı yeniden gönderin.',
  unreachable: 'Hizmete ulaşılamadı. Lütfen internet bağlantınızı kontrol edin ve mesajınızı yeniden gönderin.',
  403: 'Mesajınız kabul edilemedi. Lütfen bizimle başka bir yoldan iletişime geçin.',
  413: 'Mesajınız çok uzun. Lütfen kısaltıp yeniden gönderin.',
  415: 'Bu formla yalnızca metin gönderilebilir. Lütfen mesajınızı dosya eklemeden gönderin.',
  429: 'Çok fazla mesaj geliyor. Lütfen mesajınızı {when} yeniden gönderin.',
  500: 'Bizden kaynaklanan bir hata oluştu. Lütfen mesajınızı daha sonra yeniden gönderin.',
  503: 'Hizmet geçici olarak kullanılamıyor. Lütfen mesajınızı {when} yeniden gönderin.',
  required: 'Bu alan zorunludur.',
  too_long: 'Metni kısaltın: en fazla {limit} karakter.',
  invalid_email: 'Geçerli bir e-posta adresi girin, örneğin name@example.com.',
  invalid_phone: 'En az 3 rakam içeren bir telefon numarası girin.',
};
