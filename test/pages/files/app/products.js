// 200 products, the same at every load.

const kinds = [
  { category: 'rope', nouns: ['Mooring line', 'Anchor line', 'Halyard', 'Heaving line', 'Tow line'] },
  { category: 'lamp', nouns: ['Cabin lamp', 'Deck light', 'Chart light', 'Bow light', 'Lantern'] },
  { category: 'paint', nouns: ['Hull paint', 'Primer', 'Varnish', 'Deck paint', 'Filler'] },
  { category: 'chart', nouns: ['Coast chart', 'Harbour plan', 'Tide table', 'Pilot book', 'Star chart'] },
];
const sorts = ['blue', 'white', 'short', 'long', 'heavy', 'light', 'plain', 'fine', 'old', 'new'];

export const products = Array.from({ length: 200 }, (_, index) => {
  const kind = kinds[index % kinds.length];
  const noun = kind.nouns[Math.floor(index / kinds.length) % kind.nouns.length];
  const sort = sorts[Math.floor(index / 20)];
  return {
    id: index + 1,
    name: `${noun}, ${sort}`,
    category: kind.category,
    cents: 250 + ((index * 737) % 9000),
    stock: (index * 7) % 11,
  };
});

export function money(cents) {
  return (cents / 100).toFixed(2);
}
