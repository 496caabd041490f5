import { link, untrusted, withoutHeadings, withoutLinks } from '../format/text.ts'

/** Longer than any message. */
const MAX_LENGTH = 40_000

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }
const plain = (text: string): string => text.replace(/&(lt|gt|amp);/g, (entity) => entities[entity]!)

/** Words between two marks, such as bold ones. Our Markdown has different marks for them. */
const around = (sign: string) =>
  new RegExp(`(^|[\\s({_~*])\\${sign}(?=\\S)([^\\${sign}\n]*\\S)\\${sign}(?=$|[\\s.,:;!?)}_~*])`, 'g')
const STRONG = around('*')
const STRUCK = around('~')
const ITALIC = around('_')

/** Links and mentions: `<https://example.com|label>`, `<@U123|ann>`, `<#C1|general>`, `<!here>`. */
function reference(target: string, label: string | undefined): string {
  const sign = target[0]
  if (sign === '@') return `@${label ?? target.slice(1)}`
  if (sign === '#') return `#${label ?? target.slice(1)}`
  if (sign === '!') return `@${label?.replace(/^@/, '') ?? target.slice(1).split('^')[0]}`
  const address = plain(target)
  return label === undefined || label === target ? address : link(plain(label), address)
}

/** Text in Slack's markup as ours. Code stays unchanged, and nothing in the text mentions anybody here. */
export function fromSlack(text: string): string {
  const parts = text.slice(0, MAX_LENGTH).split(/(```[\s\S]*?```|`[^`\n]*`)/)
  const converted = parts.map((part, i) => {
    if (i % 2 === 1) return plain(part)
    return plain(
      withoutHeadings(withoutLinks(part))
        .replace(STRONG, '$1**$2**')
        .replace(ITALIC, '$1*$2*')
        .replace(STRUCK, '$1~~$2~~')
        .replace(/<([^<>|\s][^<>|]*)(?:\|([^<>]*))?>/g, (_, target: string, label?: string) =>
          reference(target, label),
        ),
    )
  })
  return untrusted(converted.join(''), 9000)
}
