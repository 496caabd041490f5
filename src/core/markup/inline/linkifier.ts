import { RE2JS } from 're2js'
import { parseTemplate, type Template } from 'url-template'
import type { Linkifier, LinkifierMatch } from '../context.ts'

const [BEFORE, MATCH, AFTER] = ['linkifier_before_match', 'linkifier_actual_match', 'linkifier_after_match'] as const

/** A match must come after a space, an opening bracket or an emphasis marker, and before no letter or digit. */
const standingAlone = (pattern: string): string =>
  `(?P<${BEFORE}>^|\\s|\u0085|\\pZ|['"\\(,:<*~])(?P<${MATCH}>${pattern})(?P<${AFTER}>$|[^\\pL\\pN])`

/**
 * A linkifier. Its engine takes time linear in the text, whatever the pattern.
 *
 * @param pattern of RE2, with named groups as in `#(?P<id>[0-9]+)`; must be valid
 * @param url_template of RFC 6570, whose variables are the groups
 */
export function linkifier(pattern: string, url_template: string): Linkifier {
  // Compiling is slow, and most texts only need to know whether there is a match at all.
  let alone: RE2JS | undefined
  let template: Template | undefined
  let source: RE2JS | undefined
  const groupNames = () => Object.keys(alone!.namedGroups()).filter((name) => !name.startsWith('linkifier_'))
  return {
    mayMatch(text) {
      source ??= RE2JS.compile(pattern)
      return source.test(text)
    },
    cost(text) {
      alone ??= RE2JS.compile(standingAlone(pattern))
      return alone.programSize() * text.length
    },
    *matches(text): Generator<LinkifierMatch> {
      alone ??= RE2JS.compile(standingAlone(pattern))
      template ??= parseTemplate(url_template)
      const matcher = alone.matcher(text)
      for (let from = 0; from < text.length && matcher.find(from); ) {
        const [start, end] = [matcher.start(MATCH), matcher.end(MATCH)]
        // The character after one match may be the one before the next.
        from = Math.max(matcher.start(AFTER), from + 1)
        if (start === end) continue
        const values = Object.fromEntries(groupNames().map((name) => [name, matcher.group(name)]))
        yield { start, end, url: template.expand(values) }
      }
    },
  }
}
