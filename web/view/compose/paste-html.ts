import { loadPart } from '../../model/state/load-part.ts'
import { insertText } from './insert-text.ts'

/** Elements whose meaning plain text would lose. */
const MEANINGFUL = 'a[href], b, strong, i, em, del, s, ul, ol, blockquote, pre, code, h1, h2, h3, h4, h5, h6, table'

/**
 * Inserts formatted text as Markdown. The browser pastes everything else, and unformatted text where the reader asks
 * for that. Returns whether it was formatted.
 */
export function pasteHtml(event: ClipboardEvent, box: HTMLTextAreaElement | null): boolean {
  const html = event.clipboardData?.getData('text/html') ?? ''
  const plain = event.clipboardData?.getData('text/plain') ?? ''
  if (!box || html === '' || plain === '') return false
  // A document of its own: it loads and runs nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  if (!body.querySelector(MEANINGFUL) || isCode(body) || isInside(box)) return false
  event.preventDefault()
  void loadPart(() => import('./html-to-markdown.ts'))
    .then(({ toMarkdown }) => toMarkdown(body))
    .catch(() => plain)
    .then((text) => insertText(box, text))
  return true
}

/** Editors copy code as lines in a font of one width. */
const isCode = (body: HTMLElement): boolean => {
  const [only] = body.children
  return body.children.length === 1 && /\bpre\b|white-space:\s*pre/.test(only!.getAttribute('style') ?? '')
}

/** In code, text stays unchanged. */
const isInside = ({ value, selectionStart }: HTMLTextAreaElement): boolean =>
  (value.slice(0, selectionStart).match(/^\s*```/gm)?.length ?? 0) % 2 === 1
