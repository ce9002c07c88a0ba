// The texts in Indonesian. Replace `const texts = { … };`, at the top of your contact-form.js, by this file.

const texts = {
  language: 'id',
  sending: 'Mengirim…',
  arrived: 'Terima kasih. Pesan Anda telah kami terima.',
  mistakes: 'Perbaiki kesalahannya, lalu kirim kembali pesan Anda.',
  captcha: 'Selesaikan pemeriksaan keamanan, lalu kirim kembali pesan Anda.',
  unreachable: 'Layanan tidak dapat dihubungi. Periksa koneksi internet Anda, lalu kirim kembali pesan Anda.',
  403: 'Pesan Anda tidak dapat diterima. Silakan hubungi kami dengan cara lain.',
  413: 'Pesan Anda terlalu panjang. Silakan persingkat, lalu kirim kembali.',
  415: 'Hanya teks yang dapat dikirim dengan formulir ini. Silakan kirim pesan Anda tanpa file.',
  429: 'Terlalu banyak pesan yang masuk. Silakan coba kirim kembali pesan Anda {when}.',
  500: 'Terjadi kesalahan di pihak kami. Silakan kirim kembali pesan Anda nanti.',
  503: 'Layanan tidak tersedia untuk sementara. Silakan coba kirim kembali pesan Anda {when}.',
  required: 'Kolom ini wajib diisi.',
  too_long: 'Persingkat teks ini. Jumlah karakter maksimum: {limit}.',
  invalid_email: 'Masukkan alamat email yang valid, misalnya name@example.com.',
  invalid_phone: 'Masukkan nomor telepon dengan minimal 3 digit.',
};
