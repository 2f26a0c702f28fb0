/**
 * HTML of a node without cloning it and without what must not be read: values of
 * secret fields are masked, shadow roots are written as declarative templates, and the
 * size is bounded. No recursion: the page decides the depth.
 */
import type { FlatTree } from '../dom/flat.ts';
import { attr, attrNames, firstChild, HTML_NAMESPACE, isElement, localName, namespaceURI, nodeType } from '../dom/primordials.ts';
import { secretKind } from '../dom/secret.ts';

const voidElements = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const rawText = new Set('style script xmp iframe noembed noframes plaintext noscript'.split(' '));
const chunkLength = 64 * 1024;

export interface Html {
  html: string;
  truncated: boolean;
  /** UTF-8 size of the whole, also when cut (only where count is asked for). */
  bytes: number;
}

export interface HtmlOptions {
  /** UTF-8 bytes kept. */
  limit: number;
  /** Go on counting beyond the limit. */
  count: boolean;
  flat?: FlatTree;
}

const encoder = new TextEncoder();

class Sink {
  private kept: string[] = [];
  private buffer = '';
  private keptBytes = 0;
  bytes = 0;
  truncated = false;

  constructor(private readonly limit: number) {}

  add(text: string): void {
    this.buffer += text;
    if (this.buffer.length >= chunkLength) this.flush();
  }

  /** True when no more of the text can be kept. */
  get full(): boolean {
    return this.truncated || this.bytes + this.buffer.length > this.limit;
  }

  flush(): void {
    const text = this.buffer.toWellFormed();
    this.buffer = '';
    const encoded = encoder.encode(text);
    this.bytes += encoded.length;
    if (this.truncated) return;
    if (this.keptBytes + encoded.length <= this.limit) {
      this.kept.push(text);
      this.keptBytes += encoded.length;
      return;
    }
    this.truncated = true;
    // A cut inside a rune decodes to U+FFFD at the end: left off.
    const part = new TextDecoder().decode(encoded.subarray(0, this.limit - this.keptBytes)).replace(/\uFFFD$/, '');
    this.kept.push(part);
  }

  text(): string {
    return this.kept.join('');
  }
}

const unsafeText = /[&<>\u00a0]/;
const unsafeAttribute = /[&"<>\u00a0]/;

function escapeText(text: string): string {
  if (!unsafeText.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  if (!unsafeAttribute.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;').replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The text of an attribute as it may leave the page. */
export function safeAttribute(element: Element, name: string): string | null {
  const value = attr(element, name);
  if (value === null || value === '') return value;
  const lower = name.toLowerCase();
  if (lower === 'value' || lower === 'data-value') {
    const kind = secretKind(element);
    if (kind !== null) return `«redacted:${kind}»`;
  }
  return value;
}

const templateContent = Object.getOwnPropertyDescriptor(HTMLTemplateElement.prototype, 'content')?.get;
const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue')?.get;
const lastChild = Object.getOwnPropertyDescriptor(Node.prototype, 'lastChild')?.get;
const previousSibling = Object.getOwnPropertyDescriptor(Node.prototype, 'previousSibling')?.get;
const parentNodeOf = Object.getOwnPropertyDescriptor(Node.prototype, 'parentNode')?.get;

function get(getter: (() => unknown) | undefined, node: Node): unknown {
  return getter?.call(node);
}

function openTag(element: Element, name: string): string {
  let out = `<${name}`;
  for (const attribute of attrNames(element)) {
    out += ` ${attribute}="${escapeAttribute(safeAttribute(element, attribute) ?? '')}"`;
  }
  return `${out}>`;
}

/** The node's HTML (outerHTML of an element, text of a text node). */
export function htmlOf(node: Node, options: HtmlOptions): Html {
  const sink = new Sink(options.limit);
  const stack: (Node | string)[] = [node];
  const pushChildren = (parent: Node): void => {
    for (let child = get(lastChild, parent) as Node | null; child !== null; child = get(previousSibling, child) as Node | null) {
      stack.push(child);
    }
  };

  const element = (at: Element): void => {
    const name = localName(at);
    const isHtml = namespaceURI(at) === HTML_NAMESPACE;
    sink.add(openTag(at, name));
    if (isHtml && voidElements.has(name)) return;
    stack.push(`</${name}>`);
    // A textarea's text is its value.
    const secret = name === 'textarea' ? secretKind(at) : null;
    if (secret !== null) {
      if (firstChild(at) !== null) sink.add(`«redacted:${secret}»`);
      return;
    }
    if (isHtml && name === 'template') pushChildren(get(templateContent, at) as Node);
    else pushChildren(at);
    const root = options.flat?.shadowRoot(at) ?? null;
    if (root !== null) {
      stack.push('</template>');
      pushChildren(root);
      sink.add(`<template shadowrootmode="${root.mode}">`);
    }
  };

  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (!options.count && sink.full) break;
    if (typeof item === 'string') sink.add(item);
    else if (isElement(item)) element(item);
    else sink.add(leaf(item));
  }
  sink.flush();
  return { html: sink.text(), truncated: sink.truncated, bytes: sink.bytes };
}

function leaf(node: Node): string {
  const text = (get(nodeValue, node) as string | null) ?? '';
  switch (nodeType(node)) {
    case Node.TEXT_NODE: {
      const parent = get(parentNodeOf, node) as Node | null;
      const raw = isElement(parent) && namespaceURI(parent) === HTML_NAMESPACE && rawText.has(localName(parent));
      if (isElement(parent) && localName(parent) === 'textarea') {
        const secret = secretKind(parent);
        if (secret !== null) return `«redacted:${secret}»`;
      }
      return raw ? text : escapeText(text);
    }
    case Node.CDATA_SECTION_NODE: return `<![CDATA[${text}]]>`;
    case Node.COMMENT_NODE: return `<!--${text}-->`;
    case Node.PROCESSING_INSTRUCTION_NODE: return `<?${node.nodeName} ${text}>`;
    default: return '';
  }
}

const snapshotLimit = 2 * 1024 * 1024;

/** The document as HTML. */
export function documentHtml(flat: FlatTree): Html {
  const top = document.documentElement as Element | null;
  if (top === null) return { html: '', truncated: false, bytes: 0 };
  return htmlOf(top, { limit: snapshotLimit, count: true, flat });
}

/** Text of an added or removed node, cut. */
export function fragmentHtml(node: Node, limit: number): string {
  const { html, truncated } = htmlOf(node, { limit, count: false });
  return truncated ? `${html}…` : html;
}

/** Text content of a node, for character data; secret text areas give a mark. */
export function characterText(node: Node): string {
  const parent = get(parentNodeOf, node) as Node | null;
  if (isElement(parent) && localName(parent) === 'textarea') {
    const secret = secretKind(parent);
    if (secret !== null) return `«redacted:${secret}»`;
  }
  return (get(nodeValue, node) as string | null) ?? '';
}

