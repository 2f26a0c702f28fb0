/**
 * JSON text to a value by syntax alone: a page may have put its own function in the place
 * of JSON.parse before we came. It reads what the bridge wrote, and a page's own schemas.
 */
const { defineProperty } = Reflect;

const escaped: Record<string, string> = { __proto__: null, n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' } as unknown as Record<string, string>;
const { fromCharCode } = String;

/** Throws a SyntaxError where the text is no JSON. */
export function parseJSON(text: string): unknown {
  let at = 0;

  const wrong = (): never => {
    throw new SyntaxError(`no JSON at ${at}`);
  };
  const skip = (): void => {
    for (; at < text.length; at++) {
      const c = text[at];
      if (c !== ' ' && c !== '\n' && c !== '\t' && c !== '\r') return;
    }
  };
  const word = (expected: string): void => {
    for (let i = 0; i < expected.length; i++) if (text[at++] !== expected[i]) wrong();
  };
  const put = (into: object, key: string | number, value: unknown): void => {
    defineProperty(into, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true } as PropertyDescriptor);
  };

  const string = (): string => {
    let out = '';
    for (at++; at < text.length; at++) {
      const c = text[at] as string;
      if (c === '"') {
        at++;
        return out;
      }
      if (c !== '\\') out += c;
      else if (text[++at] === 'u') {
        let digits = '0x';
        for (let i = 0; i < 4; i++) digits += text[++at] ?? wrong();
        out += fromCharCode(+digits);
      } else out += escaped[text[at] ?? ''] ?? wrong();
    }
    return wrong();
  };

  const number = (): number => {
    let digits = '';
    for (; at < text.length; at++) {
      const c = text[at] as string;
      if (!(c >= '0' && c <= '9') && c !== '-' && c !== '+' && c !== '.' && c !== 'e' && c !== 'E') break;
      digits += c;
    }
    const value = +digits;
    return digits === '' || value !== value ? wrong() : value;
  };

  const value = (): unknown => {
    skip();
    switch (text[at]) {
      case '{': {
        const out = {};
        at++;
        skip();
        if (text[at] === '}') {
          at++;
          return out;
        }
        for (;;) {
          skip();
          if (text[at] !== '"') wrong();
          const key = string();
          skip();
          word(':');
          put(out, key, value());
          skip();
          const c = text[at++];
          if (c === '}') return out;
          if (c !== ',') wrong();
        }
      }
      case '[': {
        const out: unknown[] = [];
        at++;
        skip();
        if (text[at] === ']') {
          at++;
          return out;
        }
        for (let i = 0; ; i++) {
          put(out, i, value());
          skip();
          const c = text[at++];
          if (c === ']') return out;
          if (c !== ',') wrong();
        }
      }
      case '"': return string();
      case 't': word('true'); return true;
      case 'f': word('false'); return false;
      case 'n': word('null'); return null;
      default: return number();
    }
  };

  const whole = value();
  skip();
  return at < text.length ? wrong() : whole;
}
