// A text field whose value is owned by the program, with the same means that
// React uses for controlled inputs, without React:
//
//  1. A value tracker: the element gets its own `value` property which notes
//     what the program wrote last and then calls the prototype's setter.
//  2. At an `input` event the tracker's note is compared with the element's real
//     value. Equal means "nothing happened", and the handler is not called.
//  3. After the handler the field is set back to the value in the program's state.
//
// Code that acts for a person with `input.value = 'x'` goes through the element's
// own property, so the tracker already knows 'x' at step 2: the program sees no
// change, and step 3 (or the next render) takes the text away. Only a write
// through HTMLInputElement.prototype's setter, or real key presses, gets through.

export function controlled(input, { get, set }) {
  const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  let tracked = native.get.call(input);

  Object.defineProperty(input, 'value', {
    configurable: true,
    enumerable: native.enumerable,
    get() { return native.get.call(this); },
    set(value) {
      tracked = String(value);
      native.set.call(this, value);
    },
  });

  function render() {
    if (native.get.call(input) !== get()) input.value = get();
  }

  input.addEventListener('input', () => {
    const now = native.get.call(input);
    if (now === tracked) return;
    tracked = now;
    set(now);
    render();
  });
  render();
  return render;
}
