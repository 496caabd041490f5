import { keepStyles } from './kept-style.ts'

/** The text of rendered markup, such as the content of a message, without its formatting. Formulas are their source. */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(keepStyles(html), 'text/html')
  for (const formula of body.querySelectorAll('.katex')) {
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '')
  }
  return body.textContent?.trim() ?? ''
}
