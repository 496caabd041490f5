import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { copyText } from '../parts/copy-text.ts'
import { jump } from './jump-to-quoted.ts'

const COPIED_MS = 1500

/** Adds a button that copies the code and, where it is folded, one that shows the rest. */
export function addCodeTools(block: HTMLElement): void {
  const button = newButton('copy-code', pieceTexts.code.copy)
  const code = block.querySelector('code') ?? block
  const text = code.textContent ?? ''
  button.addEventListener('click', () => {
    const say = (words: string) => {
      button.textContent = words
      setTimeout(() => {
        button.textContent = pieceTexts.code.copy
      }, COPIED_MS)
    }
    copyText(text).then(
      () => say(pieceTexts.code.copied),
      () => say(pieceTexts.code.copyBlocked),
    )
  })
  block.classList.add('has-copy')
  block.append(button)
  addUnfold(block, (unfold) => block.append(unfold))
}

/** Makes the link of a quote work more than once, and adds a button for the rest of a folded one. */
export function addQuoteTools(quote: HTMLElement, session: Session): void {
  const link = quote.parentElement!.querySelector<HTMLElement>('.quote-head a')!
  link.addEventListener('click', (event) => jump(session, event))
  addUnfold(quote, (unfold) => quote.after(unfold))
}

/** Adds a button that shows all of a folded element. */
function addUnfold(element: HTMLElement, place: (button: HTMLElement) => void): void {
  if (!element.classList.contains('folded')) return
  const button = newButton('unsaved unfold', texts.message.showMore)
  button.setAttribute('aria-expanded', 'false')
  button.addEventListener('click', () => {
    const isOpen = !element.classList.toggle('folded')
    button.setAttribute('aria-expanded', String(isOpen))
    button.textContent = isOpen ? texts.message.showLess : texts.message.showMore
  })
  place(button)
}

function newButton(name: string, text: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = name
  button.textContent = text
  return button
}
