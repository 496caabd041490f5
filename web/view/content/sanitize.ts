import DOMPurify from 'dompurify'
import { basePath } from '../../model/here.ts'
import { KEPT_STYLE, keepStyles } from '../../model/reading/kept-style.ts'

/**
 * Matches a message that has more than text in harmless elements without attributes. Most messages don't, so there is
 * nothing to remove, and the sanitizer would take longer than the rest of drawing them.
 */
const MORE_THAN_TEXT = /<(?!(?:\/?(?:p|strong|em|del|code|ul|ol|li|blockquote|h[1-6])|br)>)/

let made: typeof DOMPurify | undefined

/** Made and configured when it is first needed, for all messages. */
const sanitizer = (): typeof DOMPurify => (made ??= configured(DOMPurify(window)))

function configured(purify: typeof DOMPurify): typeof DOMPurify {
  purify.setConfig({
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true, mathMl: true, svg: true },
    FORBID_TAGS: ['style', 'form', 'input', 'textarea', 'select', 'dialog'],
    FORBID_ATTR: ['style', 'id', 'name', 'popover', 'popovertarget'],
    ADD_ATTR: ['target'],
  })
  purify.addHook('afterSanitizeAttributes', (node) => {
    if (node.tagName !== 'A' || !node.hasAttribute('href')) return
    const href = node.getAttribute('href')!
    if (isOwn(href)) return
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener noreferrer')
  })
  return purify
}

/** A link within this client. */
export const isOwn = (href: string): boolean =>
  (/^(#|https?:)/.test(href) || href.startsWith(`${basePath}#`)) &&
  new URL(href, location.href).pathname === basePath &&
  new URL(href, location.href).origin === location.origin

/**
 * The HTML that the server rendered, as nodes to be shown: whatever runs or loads, if the server ever let it through, is
 * not in them.
 */
export function sanitized(html: string): DocumentFragment {
  if (!MORE_THAN_TEXT.test(html)) return parsed(html)
  // The configuration determines what it returns, which the compiler can't see.
  const fragment = sanitizer().sanitize(keepStyles(html)) as unknown as DocumentFragment
  for (const node of fragment.querySelectorAll<HTMLElement | SVGElement>(`[${KEPT_STYLE}]`)) {
    // Only formulas and the images of link previews are styled.
    if (node.closest('.katex, .message_embed_image')) node.style.cssText = node.getAttribute(KEPT_STYLE)!
    node.removeAttribute(KEPT_STYLE)
  }
  return fragment
}

function parsed(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content
}
