// @ts-check
// cspell:ignore onclosetag
// @NOTE JavaScript, because the thread that runs it doesn't inherit the TypeScript loader of its process.
import { Parser } from 'htmlparser2'

/** Characters of HTML that are read, and characters of text that are made of them. */
export const MAX_HTML = 1024 * 1024
const MAX_TEXT = 200_000
const MAX_QUOTES = 5
const MAX_LISTS = 10
/** The parser takes quadratic time for open elements. */
const MAX_DEPTH = 1000

/** Ends the reading of hostile HTML. What was read until then counts. */
class TooDeep extends Error {}

const BLOCKS = new Set(
  'address article aside blockquote center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
)
const PARAGRAPHS = new Set('blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '))
const SKIPPED = new Set('head script style template title noscript object iframe svg math select textarea'.split(' '))
const STRONG = new Set(['b', 'strong', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const EMPHASIZED = new Set(['em', 'i'])
/** Without an end tag. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/**
 * Converts the HTML of an email to Markdown: bold and italic text, lists, quotes, and links with their addresses. It reads
 * the HTML from start to end without a tree, so nothing in it is deep.
 *
 * @param {string} html
 */
export function htmlToMarkdown(html) {
  /** @type {string[]} */
  const lines = []
  let line = ''
  let length = 0
  let skipped = 0
  let pre = 0
  let quotes = 0
  /** @type {{ next: number, isNumbered: boolean }[]} */
  const lists = []
  let blankWanted = false
  /** Marks that wait for the first character of their text. */
  let opening = ''
  /** @type {{ name: string, mark?: string, href?: string, from?: number, hidden?: boolean }[]} */
  const open = []

  /** Returns whether a blank line separates an element from others. Lists within lists have none. @param {string} name */
  const isApart = (name) => PARAGRAPHS.has(name) && !(/^[ou]l$/.test(name) && lists.length > 0)
  const prefix = () => '> '.repeat(Math.min(quotes, MAX_QUOTES))
  const endLine = () => {
    const text = line.trimEnd()
    line = ''
    if (text === '') return
    if (blankWanted && lines.length > 0) lines.push(prefix().trimEnd())
    blankWanted = false
    lines.push(prefix() + text)
    length += text.length + 1
  }
  /** @param {string} text */
  const add = (text) => {
    if (length + line.length > MAX_TEXT) return
    if (opening !== '' && text.trim() !== '') {
      const spaces = /^\s*/.exec(text)?.[0] ?? ''
      line += spaces + opening + text.slice(spaces.length)
      opening = ''
    } else line += text
  }
  /** @param {string} mark */
  const close = (mark) => {
    if (opening.endsWith(mark)) {
      opening = opening.slice(0, -mark.length)
      return
    }
    const text = line.trimEnd()
    line = text + mark + line.slice(text.length)
  }

  /** @param {{ name: string, mark?: string, href?: string, from?: number, hidden?: boolean }} element */
  const leave = ({ name, mark, href, from = 0, hidden }) => {
    if (hidden) {
      skipped--
      return
    }
    if (skipped > 0) return
    if (mark) close(mark)
    if (name === 'pre') {
      endLine()
      pre--
    }
    if (href) {
      const text = line.slice(from).replace(/[*~]/g, '').trim()
      if (
        text !== '' &&
        text !== href &&
        `http://${text}` !== href &&
        `https://${text}` !== href &&
        `mailto:${text}` !== href
      )
        add(` (${href.replace(/^mailto:/, '')})`)
    }
    if (name === 'td' || name === 'th') add(' ')
    if (BLOCKS.has(name)) endLine()
    if (name === 'blockquote') quotes--
    if (name === 'ul' || name === 'ol') lists.pop()
    if (isApart(name)) blankWanted = true
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length >= MAX_DEPTH) throw new TooDeep()
        const isHidden = SKIPPED.has(name) || /display\s*:\s*none|mso-hide\s*:\s*all/i.test(attributes.style ?? '')
        if (VOID.has(name)) {
          if (skipped > 0 || isHidden) return
          if (name === 'br') {
            if (line.trim() === '') blankWanted = true
            endLine()
          } else if (name === 'hr') {
            endLine()
            lines.push(`${prefix()}---`)
          } else if (name === 'img' && attributes.alt?.trim()) add(attributes.alt.replace(/\s+/g, ' ').slice(0, 200))
          return
        }
        if (isHidden || skipped > 0) {
          open.push({ name, hidden: isHidden })
          if (isHidden) skipped++
          return
        }
        // Before the line ends, so that a mark doesn't span paragraphs.
        if (BLOCKS.has(name)) endLine()
        if (isApart(name)) blankWanted = true
        if (name === 'blockquote') quotes++
        if (name === 'pre') pre++
        if (name === 'ul' || name === 'ol') lists.push({ next: 1, isNumbered: name === 'ol' })
        if (name === 'li') {
          const { next, isNumbered } = lists.at(-1) ?? { next: 1, isNumbered: false }
          if (lists.length > 0) lists[lists.length - 1] = { next: next + 1, isNumbered }
          if (next > 1) blankWanted = false
          line = '  '.repeat(Math.min(MAX_LISTS, Math.max(0, lists.length - 1))) + (isNumbered ? `${next}. ` : '- ')
        }
        const mark = STRONG.has(name) ? '**' : EMPHASIZED.has(name) ? '*' : undefined
        /** @type {{ name: string, mark?: string, href?: string, from?: number }} */
        const element = { name }
        if (mark && open.length < 100 && !open.some((outer) => outer.mark === mark)) {
          element.mark = mark
          opening += mark
        }
        const href = name === 'a' ? attributes.href?.trim() : undefined
        if (href && href.length <= 2000 && /^(https?:\/\/|mailto:)[^\s<>()[\]]+$/i.test(href)) {
          element.href = href
          element.from = line.length
        }
        open.push(element)
      },
      ontext(text) {
        if (skipped > 0 || length + line.length > MAX_TEXT) return
        if (pre > 0) {
          const [first = '', ...rest] = text.replace(/\r/g, '').split('\n')
          add(first)
          for (const next of rest) {
            endLine()
            add(next)
          }
          return
        }
        const plain = text.replace(/(?:[\s\u00ad\u200b\ufeff]|\u034f)+/g, ' ')
        add(line === '' || line.endsWith(' ') ? plain.trimStart() : plain)
      },
      onclosetag(name) {
        if (VOID.has(name)) return
        // The parser closes elements in order, so the last one with this name is the last one.
        const element = open.pop()
        if (element) leave(element)
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  try {
    parser.end(html.slice(0, MAX_HTML))
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
  }
  endLine()
  return lines.join('\n').slice(0, MAX_TEXT)
}
