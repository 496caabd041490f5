import type { Session } from '../../model/state/session.ts'
import { fromCode } from '../emoji/from-code.ts'
import { openProfile } from '../parts/profile-card.tsx'
import { fullTime, shortDate, shortTime } from '../parts/times.ts'
import { openLightbox } from './lightbox.ts'

/** Makes of rendered markup what only the reader's browser can: times, spoilers, buttons, emoji, formulas. */
export function enliven(root: DocumentFragment, session: Session): void {
  for (const [selector, change] of changes) {
    for (const element of root.querySelectorAll<HTMLElement>(selector)) change(element, session)
  }
}

type Change = (element: HTMLElement, session: Session) => void

const changes: readonly [selector: string, change: Change][] = [
  ['time[datetime]', showTime],
  ['.spoiler-block', foldSpoiler],
  ['div.codehilite, .content > pre', addCopyButton],
  ['span.emoji', showEmoji],
  ['.user-mention, .user-group-mention', markOwnMention],
  ['.user-mention[data-user-id]', openOnClick],
  ['.katex', loadFormulaStyles],
  ['.message_inline_image a', enlarge],
  ['.message_inline_image img', reserveRoom],
  ['a[href^="/#"]', (link) => link.setAttribute('href', link.getAttribute('href')!.slice(1))],
]

function showTime(element: HTMLElement, session: Session): void {
  const date = new Date(element.getAttribute('datetime')!)
  if (Number.isNaN(date.getTime())) return
  const hours24 = session.state.user_settings.twenty_four_hour_time
  element.textContent = `${shortDate(date)} ${shortTime(date, hours24)}`
  element.title = fullTime(date)
}

function foldSpoiler(block: HTMLElement): void {
  const header = block.querySelector<HTMLElement>('.spoiler-header')
  const content = block.querySelector<HTMLElement>('.spoiler-content')
  if (!header || !content) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'spoiler-button'
  button.append(...(header.textContent?.trim() ? header.childNodes : ['Spoiler']))
  header.replaceChildren(button)
  const set = (open: boolean) => {
    button.setAttribute('aria-expanded', String(open))
    content.hidden = !open
  }
  set(false)
  button.addEventListener('click', () => set(content.hidden !== false))
}

const COPIED_MS = 1500

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy-code'
  button.textContent = 'Copy'
  const code = block.querySelector('code') ?? block
  button.addEventListener('click', () => {
    const copying = navigator.clipboard?.writeText(code.textContent ?? '') ?? Promise.reject(new Error('no clipboard'))
    const say = (text: string) => {
      button.textContent = text
      setTimeout(() => {
        button.textContent = 'Copy'
      }, COPIED_MS)
    }
    copying.then(
      () => say('Copied'),
      () => say('Not allowed'),
    )
  })
  block.classList.add('has-copy')
  block.append(button)
}

/** Emoji come by their code; the reader's system has pictures for them. */
function showEmoji(element: HTMLElement): void {
  const [, code] = /\bemoji-([\da-f]+(?:-[\da-f]+)*)\b/.exec(element.className) ?? []
  if (code) element.textContent = fromCode(code)
}

function markOwnMention(element: HTMLElement, { state }: Session): void {
  const { userId, userGroupId } = element.dataset
  const group =
    userGroupId === undefined ? undefined : state.realm_user_groups.find(({ id }) => id === Number(userGroupId))
  const isOwn = userId === '*' || Number(userId) === state.user_id || group?.members.includes(state.user_id) === true
  if (isOwn) element.classList.add('own-mention')
}

/** A mention shows who is mentioned. */
function openOnClick(element: HTMLElement, session: Session): void {
  const user_id = Number(element.dataset.userId)
  if (!Number.isInteger(user_id)) return
  element.tabIndex = 0
  element.setAttribute('role', 'button')
  const open = () => openProfile(session, user_id)
  element.addEventListener('click', open)
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open()
  })
}

function loadFormulaStyles(): void {
  void import('katex/dist/katex.min.css')
}

function enlarge(link: HTMLElement): void {
  link.addEventListener('click', (event) => {
    const image = link.querySelector('img')
    if (!image || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    openLightbox({ src: link.getAttribute('href')!, title: link.title || image.alt || 'Image', origin: link })
  })
}

/** The size is known before the image is, so that nothing moves when it comes. */
function reserveRoom(element: HTMLElement): void {
  const image = element as HTMLImageElement
  const [, width, height] = /^(\d+)x(\d+)$/.exec(image.dataset.originalDimensions ?? '') ?? []
  image.loading = 'lazy'
  if (!image.alt) image.alt = image.closest('a')?.title ?? ''
  if (!width || !height) return
  image.width = Number(width)
  image.height = Number(height)
}
