'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';

export function Rating({ title }) {
  const [stars, setStars] = useState(0);
  const router = useRouter();
  return (
    <>
      {[1, 2, 3].map(count => (
        <button key={count} aria-pressed={stars === count} onClick={() => setStars(count)}>
          {count} stars
        </button>
      ))}
      <p role="status">
        {title}: {stars === 0 ? 'not rated' : `${stars} stars`}
      </p>
      <button onClick={() => router.push('/basket')}>Go to the basket</button>
    </>
  );
}
