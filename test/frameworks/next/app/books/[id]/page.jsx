import { books } from '../../books.js';
import { Rating } from '../rating.jsx';

export const generateStaticParams = () => books.map(({ id }) => ({ id }));

export default async function Book({ params }) {
  const { id } = await params;
  const { title, author, price } = books.find(book => book.id === id);
  return (
    <>
      <h1>{title}</h1>
      <p>
        {author}, {price} €
      </p>
      <Rating title={title} />
    </>
  );
}
