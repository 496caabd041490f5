import { isolated } from '../state/isolated.ts'
import { locale } from '../state/language.ts'
import { keepStyles } from './kept-style.ts'

/**
 * The text of rendered markup, such as the content of a message, without its formatting. Formulas are their source.
 * Spoilers stay hidden, and previews of links are left out.
 */
export function plainText(html: string): string {
  const { body } = new DOMParser().parseFromString(keepStyles(html), 'text/html')
  for (const formula of body.querySelectorAll('.katex')) {
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '')
  }
  for (const spoiler of body.querySelectorAll('.spoiler-content')) spoiler.replaceWith('…')
  for (const embed of body.querySelectorAll('.message_embed')) embed.remove()
  for (const time of body.querySelectorAll('time')) {
    const options = { dateStyle: 'medium', timeStyle: 'short' } as const
    time.replaceWith(isolated(new Date(time.dateTime).toLocaleString(locale.value, options)))
  }
  return body.textContent?.trim() ?? ''
}
