import { isAllowed } from '../../../src/client/index.ts'
import { basePath } from '../../model/here.ts'
import { inLanguage } from '../../model/state/language.ts'
import { loadPart } from '../../model/state/load-part.ts'
import type { Session } from '../../model/state/session.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { fromCode } from '../../model/writing/from-code.ts'
import { texts } from '../../texts/texts.ts'
import { withFlags } from '../emoji/flags.ts'
import { attempt } from '../parts/notices.tsx'
import { fullTime, shortDate, shortTime } from '../parts/times.ts'
import { openProfile } from './open-profile.tsx'

/** Makes of rendered markup what only the reader's browser can: times, spoilers, buttons, emoji, formulas. */
export function enhanceContent(root: DocumentFragment, session: Session): void {
  for (const [selector, change] of changes) {
    for (const element of root.querySelectorAll<HTMLElement>(selector)) change(element, session)
  }
}

type Change = (element: HTMLElement, session: Session) => void

const changes: readonly [selector: string, change: Change][] = [
  ['time[datetime]', showTime],
  ['.spoiler-block', foldSpoiler],
  ['.codehilite', showCode],
  ['blockquote', showQuote],
  ['pre', letScroll],
  ['.emoji', showEmoji],
  ['.user-mention, .user-group-mention', markOwnMention],
  ['.user-mention[data-user-id]', openPerson],
  ['.user-group-mention[data-user-group-id]', openMembers],
  ['.katex', loadFormulaStyles],
  ['a[href*="user_uploads/"]', playInPlace],
  ['img.inline-image', linkToOriginal],
  ['.message_inline_image a', enlarge],
  ['.message_inline_image img', reserveRoom],
  ['.message_inline_image img[data-animated]', holdStill],
  [`a[href^="${basePath}#"]`, (link) => link.setAttribute('href', link.getAttribute('href')!.slice(basePath.length))],
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
  button.append(...(header.textContent?.trim() ? header.childNodes : [texts.message.spoiler]))
  header.replaceChildren(button)
  const set = (open: boolean) => {
    button.setAttribute('aria-expanded', String(open))
    content.hidden = !open
  }
  set(false)
  button.addEventListener('click', () => set(content.hidden !== false))
}

/** Code with more lines than this is folded. */
const CODE_LINES = 20

export const isLongCode = (code: string): boolean => code.trimEnd().split('\n').length > CODE_LINES

/** Folds long code, and adds a button that copies it. */
function showCode(block: HTMLElement, session: Session): void {
  addTools(block, session, isLongCode(block.textContent ?? ''), 'addCodeTools')
}

/** A quote with more characters than this, or as many lines as long code, is folded. */
const QUOTE_LENGTH = 240

/** Makes a card of a quote with its author and a link to the message. */
function showQuote(quote: HTMLElement, session: Session): void {
  const head = quote.previousElementSibling
  const author = head?.querySelector(':scope > .user-mention.silent:first-child')
  const link = author?.nextElementSibling
  if (!link?.matches('a[href*="/near/"]:last-child') || quote.parentElement?.closest('blockquote')) return
  const lengths = [author, link].reduce((sum, one) => sum + one!.textContent!.length, 0)
  // A space and a colon.
  if (head!.textContent!.length > lengths + 3) return
  const card = document.createElement('div')
  card.className = 'quote-card'
  head!.className = 'quote-head'
  link.textContent = texts.message.goToQuoted
  head!.replaceChildren(author!, link)
  head!.replaceWith(card)
  card.append(head!, quote)
  addTools(quote, session, quote.textContent!.length > QUOTE_LENGTH || isLongCode(quote.innerHTML), 'addQuoteTools')
}

/** Folds an element if it is long, and loads what else it needs. */
function addTools(
  element: HTMLElement,
  session: Session,
  isLong: boolean,
  tools: 'addCodeTools' | 'addQuoteTools',
): void {
  element.classList.toggle('folded', isLong)
  inLanguage(() => import('./loaded-content.ts')).then(
    (loaded) => loaded[tools](element, session),
    () => element.classList.remove('folded'),
  )
}

/** Wider than a phone is. */
const WIDE = /[^\n]{35}/

/** What scrolls sideways does so by keyboard, too. */
function letScroll(block: HTMLElement): void {
  if (WIDE.test(block.textContent ?? '')) block.tabIndex = 0
}

/** Emoji come by their code; the reader's system has pictures for them, unless the reader wants their names. */
function showEmoji(element: HTMLElement, { state }: Session): void {
  if (state.user_settings.emojiset === 'text') {
    if (element instanceof HTMLImageElement) element.replaceWith(element.alt)
    return
  }
  const [, code] = /\bemoji-([\da-f]+(?:-[\da-f]+)*)\b/.exec(element.className) ?? []
  if (code) element.textContent = withFlags(fromCode(code))
}

function markOwnMention(element: HTMLElement, { state }: Session): void {
  const { userId, userGroupId } = element.dataset
  const isInGroup = userGroupId !== undefined && isAllowed(state, Number(userGroupId))
  const isOwn = userId === '*' || Number(userId) === state.user_id || isInGroup
  if (isOwn) element.classList.add('own-mention')
}

/** A mention shows who is mentioned. */
function openPerson(element: HTMLElement, session: Session): void {
  const user_id = Number(element.dataset.userId)
  if (Number.isInteger(user_id) && !isReadOnly(session)) openOnClick(element, () => openProfile(session, user_id))
}

function openMembers(element: HTMLElement, session: Session): void {
  if (isReadOnly(session)) return
  const group_id = Number(element.dataset.userGroupId)
  openOnClick(element, () =>
    attempt(async () => (await loadPart(() => import('./loaded-content.ts'))).openGroup(session, group_id)),
  )
}

function openOnClick(element: HTMLElement, open: () => void): void {
  element.tabIndex = 0
  element.setAttribute('role', 'button')
  element.addEventListener('click', open)
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open()
  })
}

function loadFormulaStyles(): void {
  // Without these styles, formulas are plain.
  import('katex/dist/katex.min.css').catch(() => {})
}

/** Video and audio that browsers play, by the names of their files. */
const MEDIA = /\.(?:(mp4|m4v|mov|webm)|mp3|m4a|aac|oga|ogg|opus|wav|flac|weba)$/i

/** Puts a player for an uploaded file below the paragraph that links to it. */
function playInPlace(link: HTMLElement, { state }: Session): void {
  const href = (link as HTMLAnchorElement).pathname
  const [isMedia, isVideo] = MEDIA.exec(href) ?? []
  if (!isMedia || !state.realm_inline_image_preview) return
  const frame = document.createElement('div')
  // Its room is reserved, so that nothing moves when the player comes.
  frame.className = isVideo ? 'player video' : 'player'
  const paragraph = link.closest<HTMLElement>('p, table')
  ;(paragraph ?? link).after(frame)
  // The name of a recording says nothing that its player doesn't.
  if (paragraph?.textContent === link.textContent && /\/voice-message-[^/]*$/.test(href)) paragraph.hidden = true
  inLanguage(() => import('./loaded-content.ts')).then(
    ({ addPlayer }) => addPlayer(frame, link as HTMLAnchorElement),
    () => {
      frame.remove()
      if (paragraph) paragraph.hidden = false
    },
  )
}

/** Gives an image within text the form of a preview, so that it can be enlarged like one. */
function linkToOriginal(image: HTMLElement): void {
  const frame = document.createElement('span')
  frame.className = 'message_inline_image'
  const link = document.createElement('a')
  link.href = image.dataset.originalSrc ?? image.getAttribute('src')!
  link.title = image.getAttribute('alt') ?? ''
  image.replaceWith(frame)
  frame.append(link)
  link.append(image)
}

function enlarge(link: HTMLElement, session: Session): void {
  link.addEventListener('click', (event) => {
    const image = link.querySelector('img')
    if (!image || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    attempt(async () =>
      (await loadPart(() => import('./loaded-content.ts'))).openLightbox(link as HTMLAnchorElement, session),
    )
  })
}

/** An animation moves when the reader's setting says so; the server has a copy of it that does not move. */
function holdStill(element: HTMLElement, { state }: Session): void {
  const image = element as HTMLImageElement
  const moving = image.getAttribute('src')!
  const still = moving.replace(/-anim(\.\w+)$/, '$1')
  const when = state.user_settings.web_animate_image_previews
  if (when === 'always' && !matchMedia('(prefers-reduced-motion: reduce)').matches) return
  image.src = still
  const link = image.closest('a') ?? image
  link.classList.add('still')
  if (when === 'never') return
  link.classList.add('moves-on-hover')
  const shows = (src: string, names: readonly string[]) => {
    for (const name of names) link.addEventListener(name, () => (image.src = src))
  }
  shows(moving, ['pointerenter', 'focus'])
  shows(still, ['pointerleave', 'blur'])
}

/** As large images are shown in messages; in full in the lightbox. */
const LARGEST = { width: 384, height: 256 } as const

/** The size is known before the image is, so that nothing moves when it comes. */
function reserveRoom(element: HTMLElement): void {
  const image = element as HTMLImageElement
  const [, width, height] = /^(\d+)x(\d+)$/.exec(image.dataset.originalDimensions ?? '') ?? []
  image.loading = 'lazy'
  if (!image.alt) image.alt = image.closest('a')?.title ?? ''
  if (!width || !height) return
  const size = Number(document.documentElement.style.getPropertyValue('--preview-scale') || 1)
  const scale = Math.min(1, (size * LARGEST.width) / Number(width), (size * LARGEST.height) / Number(height))
  image.width = Math.round(Number(width) * scale)
  // Also while something else stands in for it that has another shape.
  image.style.aspectRatio = `${width} / ${height}`
}
