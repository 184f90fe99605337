'use client';
import { createContext, useContext, useEffect, useState } from 'react';

const Context = createContext(null);
export const useBasket = () => useContext(Context);

export function Basket({ children }) {
  const [ids, setIds] = useState([]);
  useEffect(() => {
    const kept = sessionStorage.getItem('basket');
    if (kept !== null) setIds(JSON.parse(kept));
  }, []);
  const change = next => {
    sessionStorage.setItem('basket', JSON.stringify(next));
    setIds(next);
  };
  const basket = { ids, add: id => change([...ids, id]), remove: id => change(ids.filter(each => each !== id)) };
  return <Context value={basket}>{children}</Context>;
}
