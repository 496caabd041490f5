import Turndown from 'turndown'
import { gfm } from 'turndown-plugin-gfm'

const turndown = new Turndown({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
  strongDelimiter: '**',
  hr: '---',
})
turndown.use(gfm)
// The server's Markdown has no backslashes before marks, and reads most marks in the middle of words as text.
turndown.escape = (text) => text
turndown.remove(['script', 'style', 'title'])
turndown.addRule('listItem', {
  filter: 'li',
  replacement(content, node, { bulletListMarker }) {
    const parent = node.parentNode as HTMLElement
    const start = Number(parent.getAttribute('start') ?? 1)
    const number = start + [...parent.children].indexOf(node as Element)
    const mark = parent.nodeName === 'OL' ? `${number}.` : bulletListMarker
    const lines = content.trim().replace(/\n/g, '\n  ')
    return `${mark} ${lines}${node.nextSibling ? '\n' : ''}`
  },
})
turndown.addRule('strikethrough', {
  filter: ['del', 's'],
  replacement: (content) => `~~${content}~~`,
})
turndown.addRule('image', {
  filter: 'img',
  replacement(_, node) {
    const [alt, src] = [(node as Element).getAttribute('alt') ?? '', (node as Element).getAttribute('src') ?? '']
    // Emoji are written by name, and images of other sites are links.
    return alt.startsWith(':') || !/^https?:/.test(src) ? alt : `[${alt || src}](${src})`
  },
})
turndown.addRule('formula', {
  filter: (node) => node.classList.contains('katex'),
  replacement: (_, node) => `$$${(node as Element).querySelector('annotation')?.textContent ?? node.textContent}$$`,
})

/** Returns the Markdown of pasted HTML. */
export const toMarkdown = (body: HTMLElement): string => turndown.turndown(body).trim()
