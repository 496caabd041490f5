import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { element, filmstrip, iconButton, messageOf, nameOfImage, origin, withIcon } from './lightbox-parts.ts'
import '../../styles/lightbox.css'

/** All images on the page that can be enlarged, in their order. */
const IMAGES = '.message_inline_image a'
/** How much larger or smaller with each step, and between which sizes. */
const STEP = 1.4
const [LEAST, MOST] = [1, 8]
/** A finger that moves farther sideways goes to the next image. */
const SWIPE_PX = 50

/** Shows an image as large as the page allows, who sent it, and all other images of the page. */
export function openLightbox(opener: HTMLAnchorElement, session: Session): void {
  let link = opener
  let message = messageOf(link)
  let scale = 1
  const before = document.activeElement
  const dialog = element('dialog', { className: 'lightbox' })
  const image = element('img', {})
  const room = element('div', { className: 'lightbox-room', tabIndex: -1 })
  room.append(image)
  const title = element('span', { className: 'name' })
  const count = element('span', { className: 'count-of' })
  count.setAttribute('aria-live', 'polite')
  const about = element('p', {})
  const file = withIcon(element('a', { target: '_blank', rel: 'noopener' }), 'openFile', pieceTexts.lightbox.openFile)
  const previous = iconButton('previous', pieceTexts.lightbox.previous, () => step(-1))
  const next = iconButton('next', pieceTexts.lightbox.next, () => step(1))
  const tools = element('div', { className: 'tools' })
  const zoomOut = iconButton('zoomOut', pieceTexts.lightbox.zoomOut, () => zoom(1 / STEP))
  const zoomIn = iconButton('zoomIn', pieceTexts.lightbox.zoomIn, () => zoom(STEP))
  tools.append(
    count,
    zoomOut,
    zoomIn,
    file,
    iconButton('close', texts.common.close, () => dialog.close()),
  )
  const head = element('header', {})
  head.append(about, tools)
  const { strip, show: showStrip } = filmstrip((chosen) => show(chosen))
  dialog.append(head, room, previous, next, strip)

  function show(shown: HTMLAnchorElement): void {
    link = shown
    message = messageOf(link)
    const all = images()
    const at = all.indexOf(link)
    const name = nameOfImage(link)
    // The file is this server's, under whatever name the link calls it.
    image.src = link.pathname
    image.alt = name
    file.href = link.href
    title.textContent = name
    about.replaceChildren(...origin(session, message), title)
    count.textContent = all.length > 1 ? pieceTexts.lightbox.position(at + 1, all.length) : ''
    previous.hidden = next.hidden = all.length < 2
    previous.disabled = at <= 0
    next.disabled = at === all.length - 1
    dialog.setAttribute('aria-label', name)
    showStrip(all, at)
    setScale(1)
  }
  function step(by: number): void {
    const all = images()
    const other = all[all.indexOf(current()) + by]
    if (other) show(other)
  }
  /** The link to this image, which is another element once its message has changed. */
  function current(): HTMLAnchorElement {
    if (!link.isConnected) link = images().find((one) => one.href === link.href && messageOf(one) === message) ?? link
    return link
  }
  const zoom = (by: number) => setScale(Math.min(MOST, Math.max(LEAST, scale * by)))
  /** At 1 the entire image is visible. Above 1 the view scrolls, and its center stays in place. */
  function setScale(to: number): void {
    const [x, y] = [room.scrollLeft + room.clientWidth / 2, room.scrollTop + room.clientHeight / 2]
    const by = to / scale
    scale = to
    zoomOut.disabled = to <= LEAST
    zoomIn.disabled = to >= MOST
    const { naturalWidth: width, naturalHeight: height } = image
    if (width === 0) return
    image.width = Math.round(width * scale * Math.min(1, room.clientWidth / width, room.clientHeight / height))
    room.scrollTo(x * by - room.clientWidth / 2, y * by - room.clientHeight / 2)
  }

  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    '+': () => zoom(STEP),
    '=': () => zoom(STEP),
    '-': () => zoom(1 / STEP),
    '0': () => setScale(1),
  }
  dialog.addEventListener('keydown', (event) => {
    const key = keys[event.key]
    if (!key || event.ctrlKey || event.metaKey || (scale > 1 && event.key.startsWith('Arrow'))) return
    event.preventDefault()
    key()
  })
  let touched: number | undefined
  room.addEventListener('touchstart', ({ touches }) => {
    touched = touches.length === 1 && scale === 1 ? touches[0]!.clientX : undefined
  })
  room.addEventListener('touchend', ({ changedTouches }) => {
    const moved = touched === undefined ? 0 : changedTouches[0]!.clientX - touched
    if (Math.abs(moved) > SWIPE_PX) step(moved > 0 ? -1 : 1)
  })
  // It may have been zoomed while it was loaded.
  image.addEventListener('load', () => setScale(scale))
  image.addEventListener('click', () => setScale(scale > 1 ? 1 : STEP ** 2))
  room.addEventListener('click', (event) => event.target === room && dialog.close())
  // Another address is another view: back and forward do not leave it below the image.
  const address = location.href
  const onAddress = () => location.href !== address && dialog.close()
  addEventListener('hashchange', onAddress)
  dialog.addEventListener('close', () => {
    removeEventListener('hashchange', onAddress)
    dialog.remove()
    // The event comes late, after the focus may have moved elsewhere.
    if (document.activeElement !== before && document.activeElement !== document.body) return
    const from = [current(), opener].find(({ isConnected }) => isConnected)
    if (!from) return document.getElementById('main-view')?.focus()
    from.scrollIntoView({ block: 'nearest' })
    from.focus({ preventScroll: true })
  })
  document.body.append(dialog)
  dialog.showModal()
  room.focus()
  show(link)
}

const images = () => [...document.querySelectorAll<HTMLAnchorElement>(IMAGES)]
