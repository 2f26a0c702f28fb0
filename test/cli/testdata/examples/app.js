// Something for network and logpoint examples to find.
function tick() {
  const path = location.pathname;
  return path;
}
console.log('price', 12);
fetch('/api/items').then((answer) => answer.json()).catch(() => {});
console.error('nothing is wrong');
function again() {
  return tick();
}
again();
// What the examples of state read.
window.shop = { cart: { items: [{ id: 1, price: 12 }], open: false } };
window.__debugBridgeState = () => window.shop.cart;
