export const books = [
  { id: 'emma', title: 'Emma', author: 'Austen', price: 9 },
  { id: 'ulysses', title: 'Ulysses', author: 'Joyce', price: 14 },
  { id: 'orlando', title: 'Orlando', author: 'Woolf', price: 11 },
];
