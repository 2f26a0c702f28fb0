// Which fields are never read: passwords, one-time codes, card data.
import { attr, inputType, localName, styleOf } from './primordials.ts';

// Fields without autocomplete are recognised by the whole name or id.
const secretName =
  /^(?:(?:user|new|old|current|login|confirm)[-_ ]?)?pass(?:word|wd|phrase|code)?$|^(?:otp|totp|one[-_ ]?time[-_ ]?(?:code|password)|(?:mfa|2fa|verification|security)[-_ ]?code|pin(?:[-_ ]?code)?)$|^(?:cc|card|credit[-_ ]?card)[-_ ]?(?:num|number|no|csc|cvc|cvv|exp|expiry|expiration)$|^(?:cvc|cvv|csc)2?$/i;

// A field that once was a password stays one: "show password" turns it into text.
const wasPassword = new WeakSet<Element>();

/** Why the field's value is never read, or null when it may be. */
export function secretKind(element: Element): 'password' | 'one-time-code' | 'card' | null {
  const name = localName(element);
  if (name !== 'input' && name !== 'textarea' && name !== 'select') return null;
  const type = name === 'input' ? inputType(element as HTMLInputElement) : '';
  if (type === 'password') {
    wasPassword.add(element);
    return 'password';
  }
  if (type === 'checkbox' || type === 'radio' || type === 'button' || type === 'submit' || type === 'reset') return null;
  if (wasPassword.has(element)) return 'password';
  const auto = attr(element, 'autocomplete');
  if (auto !== null) {
    for (const token of auto.toLowerCase().split(/\s+/)) {
      if (token.startsWith('cc-')) return 'card';
      if (token === 'one-time-code') return 'one-time-code';
      if (token === 'current-password' || token === 'new-password') return 'password';
    }
  }
  for (const key of [attr(element, 'name'), attr(element, 'id')]) {
    if (key === null || key.length > 40 || !secretName.test(key)) continue;
    if (/^(?:cc|card|credit|cvc|cvv|csc)/i.test(key)) return 'card';
    return /pass/i.test(key) && !/one/i.test(key) ? 'password' : 'one-time-code';
  }
  return null;
}

/** Text fields shown as dots by style alone. */
export function masksText(element: Element): boolean {
  const shown = styleOf(element).getPropertyValue('-webkit-text-security');
  return shown !== '' && shown !== 'none';
}
