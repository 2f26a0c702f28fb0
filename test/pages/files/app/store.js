// The state of the shop, and who wants to know when it changes. It stands on
// window as `shop`, as many apps leave theirs; the app itself knows nothing of
// any debugging tool.

const listeners = new Set();

export const state = {
  user: null,
  form: { email: '', password: '' },
  filter: { text: '', category: '', inStock: false },
  cart: [],
};

export function update(change) {
  change(state);
  for (const listener of listeners) listener(state);
}

export function subscribe(listener) {
  listeners.add(listener);
  listener(state);
}

export function total() {
  return state.cart.reduce((sum, line) => sum + line.cents * line.quantity, 0);
}

window.shop = {
  get cart() {
    return { lines: state.cart.map((line) => ({ ...line })), total: total() };
  },
  get user() {
    return state.user && { ...state.user };
  },
};
