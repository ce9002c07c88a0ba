import { useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { ContactForm } from './ContactForm.jsx';

const onNavigation = (changed) => {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
};

function Site() {
  const page = useSyncExternalStore(onNavigation, () => location.hash);
  return (
    <>
      <nav>
        <a href="#home">Home</a> <a href="#contact">Contact</a>
      </nav>
      {page === '#contact' ? <ContactForm /> : <h1>Home</h1>}
    </>
  );
}

createRoot(document.getElementById('root')).render(<Site />);
