import { controlled } from './controlled.js';
import './elements.js';
import { money, products } from './products.js';
import { state, subscribe, total, update } from './store.js';

const $ = (id) => document.getElementById(id);

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// Sign-in: both fields are controlled; the button waits for both.
const renderEmail = controlled($('email'), {
  get: () => state.form.email,
  set: (value) => update((s) => { s.form.email = value.trimStart(); }),
});
const renderPassword = controlled($('password'), {
  get: () => state.form.password,
  set: (value) => update((s) => { s.form.password = value; }),
});

$('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('sign-in-error').textContent = '';
  const answer = await fetch('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(state.form),
  });
  const body = await answer.json();
  if (!answer.ok) {
    console.warn('sign-in refused', answer.status, body);
    $('sign-in-error').textContent = body.message;
    return;
  }
  console.info('signed in', body.user);
  update((s) => {
    s.user = body.user;
    s.form = { email: '', password: '' };
  });
  recommend();
});

$('sign-out').addEventListener('click', () => update((s) => { s.user = null; }));

// The recommendations service is down: a failing fetch after each sign-in.
async function recommend() {
  try {
    const answer = await fetch('/api/fail?service=recommendations');
    if (!answer.ok) throw new Error(`recommendations: HTTP ${answer.status}`);
  } catch (error) {
    console.error('no recommendations', error);
  }
}

// The list.
const rows = new Map(products.map((product) => {
  const add = make('button', { type: 'button' }, 'Add to cart');
  add.setAttribute('aria-label', `Add ${product.name} to the cart`);
  add.disabled = product.stock === 0;
  add.addEventListener('click', () => addToCart(product));
  const row = make('li', { id: `product-${product.id}` },
    make('a', { href: `#product-${product.id}` }, product.name),
    make('span', { className: 'price' }, money(product.cents)),
    make('span', {}, product.stock === 0 ? 'sold out' : `${product.stock} left`),
    add);
  return [product, row];
}));

function addToCart(product) {
  update((s) => {
    const line = s.cart.find((entry) => entry.id === product.id);
    if (line) line.quantity += 1;
    else s.cart.push({ id: product.id, name: product.name, cents: product.cents, quantity: 1 });
  });
  console.log('cart', window.shop.cart);
}

function showList() {
  const { text, category, inStock } = state.filter;
  const shown = products.filter((product) => product.name.toLowerCase().includes(text.toLowerCase())
    && (category === '' || product.category === category)
    && (!inStock || product.stock > 0));
  $('list').replaceChildren(...shown.map((product) => rows.get(product)));
  $('count').textContent = `${shown.length} products`;
}

function filter(change) {
  change(state.filter);
  showList();
}
$('search').addEventListener('input', (event) => filter((f) => { f.text = event.target.value; }));
$('category').addEventListener('change', (event) => filter((f) => { f.category = event.target.value; }));
$('in-stock').addEventListener('change', (event) => filter((f) => { f.inStock = event.target.checked; }));

// The cart and the order. Lines are made anew at each render, as frameworks
// without keys do, so references to old nodes go stale.
function showCart(s) {
  $('cart-lines').replaceChildren(...s.cart.map((line) => {
    const less = make('button', { type: 'button' }, '−');
    less.setAttribute('aria-label', `One ${line.name} less`);
    less.addEventListener('click', () => update((now) => {
      line.quantity -= 1;
      now.cart = now.cart.filter((entry) => entry.quantity > 0);
    }));
    return make('li', {}, `${line.quantity} × ${line.name} `, less);
  }));
  $('total').textContent = money(total());
  $('checkout').disabled = s.cart.length === 0;
}
$('clear-cart').addEventListener('click', () => update((s) => { s.cart = []; }));
$('checkout').addEventListener('click', () => {
  $('order-text').textContent = `${state.cart.length} lines, ${money(total())} in all.`;
  $('order').showModal();
});
$('order-back').addEventListener('click', () => $('order').close());
$('order-change').addEventListener('click', () => { $('order').close(); $('delivery').focus(); });
$('order-place').addEventListener('click', () => {
  $('order').close();
  update((s) => { s.cart = []; });
  $('answer').textContent = 'Order placed';
});

// Things that go wrong, and things that ask.
$('cause-error').addEventListener('click', () => {
  const order = null;
  $('answer').textContent = order.number;
});
$('reject').addEventListener('click', () => { Promise.reject(new Error('the ferry is late')); });
$('slow').addEventListener('click', async () => {
  $('answer').textContent = 'Waiting …';
  const answer = await fetch('/api/slow?ms=1500');
  $('answer').textContent = `Answered after ${(await answer.json()).ms} ms`;
});
$('alert').addEventListener('click', () => {
  alert('We close early today.');
  $('answer').textContent = 'Notice read';
});
$('confirm').addEventListener('click', () => {
  $('answer').textContent = confirm('Do you sail today?') ? 'Sails' : 'Stays';
});
$('prompt').addEventListener('click', () => {
  $('answer').textContent = `Name: ${prompt('Name of the ship?', 'Aurora')}`;
});
document.addEventListener('rated', (event) => console.log('rated', event.detail));

subscribe((s) => {
  renderEmail();
  renderPassword();
  $('submit').disabled = s.form.email === '' || s.form.password === '';
  $('who').textContent = s.user ? `Signed in as ${s.user.name}` : 'Not signed in';
  $('sign-out').hidden = !s.user;
  $('account').hidden = Boolean(s.user);
  showCart(s);
});
showList();
console.warn('price list is 40 days old', { days: 40 });
console.log('shop ready', products.length, 'products');
