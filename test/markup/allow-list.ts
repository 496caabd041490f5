import { Parser } from 'htmlparser2'

/** Tags of the dialect, each with the attributes it may have. */
const tags: Readonly<Record<string, readonly string[]>> = {
  p: [],
  br: [],
  hr: [],
  strong: [],
  em: [],
  del: [],
  code: [],
  pre: [],
  blockquote: [],
  ul: [],
  ol: ['start'],
  li: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: ['style'],
  td: ['style'],
  div: ['class', 'data-code-language', 'aria-hidden'],
  span: ['class', 'data-user-id', 'data-user-group-id', 'role', 'aria-label', 'title'],
  a: ['href', 'class', 'title', 'data-stream-id'],
  img: [
    ...['src', 'alt', 'class', 'title', 'data-animated', 'data-original-content-type', 'data-original-dimensions'],
    ...['data-original-src', 'data-transcoded-image'],
  ],
  audio: ['controls', 'preload', 'src', 'title'],
  time: ['datetime'],
}

const mathTags = new Set(
  (
    'math semantics annotation mrow mi mo mn ms mtext mspace msup msub msubsup mfrac msqrt mroot mtable mtr mtd mover ' +
    'munder munderover mstyle mpadded mphantom menclose mglyph mlabeledtr svg path line'
  ).split(' '),
)
const mathAttributes = new Set(
  (
    'xmlns encoding display class mathvariant stretchy fence separator accent accentunder lspace rspace width height ' +
    'depth voffset minsize maxsize scriptlevel displaystyle linethickness mathcolor mathbackground mathsize columnalign ' +
    'rowspacing columnspacing columnlines rowlines side notation linebreak symmetric movablelimits form largeop valign style ' +
    'viewbox preserveaspectratio d x1 y1 x2 y2 stroke-width aria-hidden'
  ).split(' '),
)
const formulaStyle =
  /^(?:(?:color|background-color|border-color|border|border-(?:[a-z]+-)?(?:width|style)|height|width|min-width|top|bottom|left|right|position|vertical-align|margin|margin-[a-z]+|padding|padding-[a-z]+|text-shadow|display):[a-z0-9.#% +()-]*;?)*$/i
const cellStyle = /^text-align: (?:left|right|center);$/
const safeUrl = /^(?:(?:https?|ftp):\/\/[^/]|mailto:|tel:|xmpp:|\/(?!\/)|#|\?)/i
const classes =
  /^(?:codehilite|spoiler-(?:block|header|content)|message_inline_image|inline-image(?: image-loading-placeholder)?|(?:user-mention|user-group-mention|topic-mention|user-mention channel-wildcard-mention)(?: silent)?|stream|stream-topic|message-link|tex-error|katex|katex-display|emoji|emoji emoji-[0-9a-f-]+|[a-z][a-z0-9]{0,2})$/

function breachOfAttribute(tag: string, name: string, value: string, inFormula: boolean): string | undefined {
  if (inFormula) {
    if (name === 'style' && !formulaStyle.test(value)) return `style ${value}`
    if (name === 'xmlns' && !/^http:\/\/www\.w3\.org\/(?:1998\/Math\/MathML|2000\/svg)$/.test(value)) return value
    return mathAttributes.has(name) ? undefined : `${name} on ${tag} in a formula`
  }
  if (!tags[tag]!.includes(name)) return `${name} on ${tag}`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them in addresses
  if ((name === 'href' || name === 'src') && (!safeUrl.test(value) || /[\u0000-\u0020\\]/.test(value))) return value
  if (name === 'style' && !cellStyle.test(value)) return `style ${value}`
  if (name === 'class' && !classes.test(value)) return `class ${value}`
  return undefined
}

const empty = new Set(['br', 'hr', 'img', 'path', 'line'])

/** The first tag or attribute that is not part of the dialect, or unbalanced; undefined if there is none. */
export function findBreach(html: string): string | undefined {
  let breach: string | undefined
  const open: string[] = []
  let formula: number | undefined
  const report = (what: string | undefined) => {
    breach ??= what
  }
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const inFormula = formula !== undefined
        if (!(inFormula && mathTags.has(tag)) && !Object.hasOwn(tags, tag)) report(`<${tag}>`)
        else for (const name in attributes) report(breachOfAttribute(tag, name, attributes[name]!, inFormula))
        if (tag === 'a' && (open.includes('a') || inFormula)) report('a link in a link or formula')
        if (tag === 'img' && inFormula) report('a picture in a formula')
        if (attributes.class === 'katex') formula ??= open.length
        open.push(tag)
      },
      onclosetag(tag, implied) {
        if (open.pop() !== tag || (implied && !empty.has(tag))) report(`</${tag}> where it does not belong`)
        if (formula === open.length) formula = undefined
      },
      oncomment: (text) => report(`comment ${text}`),
      onprocessinginstruction: (name) => report(name),
      oncdatastart: () => report('CDATA'),
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  parser.end(html)
  return breach
}
