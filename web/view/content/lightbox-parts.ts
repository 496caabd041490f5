import { nameOf } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { dateAndTime, fullTime } from '../parts/times.ts'

/** Icons of 24 × 24. */
const icons = {
  close: 'M6 6l12 12M18 6L6 18',
  next: 'M9 5l7 7-7 7',
  openFile: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  previous: 'M15 5l-7 7 7 7',
  zoomIn: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M11 8v6M8 11h6',
  zoomOut: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5M8 11h6',
} as const
type IconName = keyof typeof icons

const SVG = 'http://www.w3.org/2000/svg'

export const element = <N extends keyof HTMLElementTagNameMap>(
  name: N,
  properties: Partial<HTMLElementTagNameMap[N]>,
): HTMLElementTagNameMap[N] => Object.assign(document.createElement(name), properties)

/** Makes an icon of a button or link, and its name. */
export function withIcon<E extends HTMLElement>(made: E, icon: IconName, name: string): E {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', icons[icon])
  svg.append(path)
  made.append(svg)
  made.classList.add('icon-button')
  made.title = name
  made.setAttribute('aria-label', name)
  return made
}

export function iconButton(icon: IconName, name: string, run: () => void): HTMLButtonElement {
  const made = withIcon(element('button', { type: 'button' }), icon, name)
  made.addEventListener('click', run)
  return made
}

/** The ID of the message that an element belongs to; none for a preview in the composer. */
export const messageOf = (link: HTMLElement): string | undefined => link.closest('article')?.id

/** Who sent a message, and when, as the lightbox shows it. */
export function origin(session: Session, message: string | undefined): Node[] {
  const sent = session.messages.get(Number(message?.replace('message-', '')))
  if (!sent) return []
  const date = new Date(sent.timestamp * 1000)
  const hours24 = session.state.user_settings.twenty_four_hour_time
  return [
    element('bdi', { className: 'sender', textContent: nameOf(session, sent.sender_id, sent.sender_full_name) }),
    element('time', {
      dateTime: date.toISOString(),
      title: fullTime(date),
      textContent: dateAndTime(date, hours24),
    }),
  ]
}

/** The row of all images below the large one. Keeps its buttons while the images stay the same. */
export function filmstrip(choose: (link: HTMLAnchorElement) => void) {
  const strip = element('div', { className: 'filmstrip' })
  strip.setAttribute('role', 'group')
  strip.setAttribute('aria-label', pieceTexts.lightbox.images)
  let shown = ''
  return {
    strip,
    show(all: readonly HTMLAnchorElement[], at: number): void {
      const now = all.map((link) => `${messageOf(link)} ${link.href}`).join('\n')
      if (now !== shown) {
        shown = now
        strip.replaceChildren(...all.map((_, i) => frame(i)))
      }
      strip.hidden = all.length < 2
      for (const [i, one] of [...strip.children].entries()) {
        one.toggleAttribute('aria-current', false)
        if (i === at) one.setAttribute('aria-current', 'true')
      }
      strip.children[at]?.scrollIntoView({ block: 'nearest', inline: 'center' })
      function frame(i: number): HTMLElement {
        const link = all[i]!
        const made = element('button', { type: 'button', title: nameOfImage(link) })
        made.setAttribute(
          'aria-label',
          `${nameOfImage(link)}${texts.common.comma}${pieceTexts.lightbox.position(i + 1, all.length)}`,
        )
        const preview = link.querySelector('img')
        made.append(element('img', { src: preview?.src ?? link.pathname, alt: '', loading: 'lazy' }))
        made.addEventListener('click', () => choose(link))
        return made
      }
    },
  }
}

export const nameOfImage = (link: HTMLAnchorElement): string =>
  link.title || link.querySelector('img')?.alt || pieceTexts.lightbox.image
