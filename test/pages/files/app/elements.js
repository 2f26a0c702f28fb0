// Two components with shadow roots: one open, one closed.

class ProductRating extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    const group = document.createElement('div');
    group.setAttribute('role', 'radiogroup');
    group.setAttribute('aria-label', this.getAttribute('label') ?? 'Rating');
    const stars = [1, 2, 3, 4, 5].map((value) => {
      const star = document.createElement('button');
      star.type = 'button';
      star.setAttribute('role', 'radio');
      star.setAttribute('aria-checked', 'false');
      star.setAttribute('aria-label', value === 1 ? '1 star' : `${value} stars`);
      star.textContent = '☆';
      star.addEventListener('click', () => {
        stars.forEach((other, index) => {
          other.textContent = index < value ? '★' : '☆';
          other.setAttribute('aria-checked', String(other === star));
        });
        this.dispatchEvent(new CustomEvent('rated', { detail: value, bubbles: true }));
      });
      return star;
    });
    group.append(...stars);
    root.append(group);
  }
}

class PromoCode extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'closed' });
    const label = document.createElement('label');
    label.textContent = 'Promo code ';
    const input = document.createElement('input');
    input.maxLength = 12;
    label.append(input);
    const apply = document.createElement('button');
    apply.type = 'button';
    apply.textContent = 'Apply';
    const said = document.createElement('span');
    said.setAttribute('role', 'status');
    apply.addEventListener('click', () => {
      said.textContent = input.value === 'HARBOUR' ? ' 10 % off' : ' No such code';
      this.dataset.code = input.value;
    });
    root.append(label, apply, said);
  }
}

customElements.define('product-rating', ProductRating);
customElements.define('promo-code', PromoCode);
