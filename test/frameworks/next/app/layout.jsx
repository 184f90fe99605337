import Link from 'next/link';
import { Basket } from './basket-state.jsx';

export const metadata = { title: 'Books' };

/** A book shop as a static export: pages by the file system, a client router, state in a provider of the layout. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <Basket>
          <nav>
            <Link href="/">Shop</Link> <Link href="/basket">Basket</Link>
          </nav>
          <main>{children}</main>
        </Basket>
      </body>
    </html>
  );
}
