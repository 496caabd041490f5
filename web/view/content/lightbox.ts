import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'

/** All images on the page that can be enlarged, in their order. */
const IMAGES = '.message_inline_image a'
/** How much larger or smaller with each step, and between which sizes. */
const STEP = 1.4
const [LEAST, MOST] = [1, 8]

/** Shows an image as large as the page allows, and the images before and after it. */
export function openLightbox(origin: HTMLAnchorElement): void {
  let link = origin
  let message = link.closest('article')?.id
  let scale = 1
  const before = document.activeElement
  const dialog = document.createElement('dialog')
  dialog.className = 'lightbox'
  const image = document.createElement('img')
  const room = element('div', { className: 'lightbox-room', tabIndex: -1 })
  room.append(image)
  const title = element('span', { className: 'name' })
  const count = element('span', { className: 'quiet' })
  count.setAttribute('aria-live', 'polite')
  const file = element('a', { target: '_blank', rel: 'noopener', textContent: pieceTexts.lightbox.openFile })
  const button = (textContent: string, run: () => void) => {
    const made = element('button', { type: 'button', textContent })
    made.addEventListener('click', run)
    return made
  }
  const previous = button(pieceTexts.lightbox.previous, () => step(-1))
  const next = button(pieceTexts.lightbox.next, () => step(1))
  const bar = document.createElement('p')
  bar.append(title, count, previous, next)
  bar.append(
    button(pieceTexts.lightbox.zoomIn, () => zoom(STEP)),
    button(pieceTexts.lightbox.zoomOut, () => zoom(1 / STEP)),
  )
  bar.append(
    file,
    button(texts.common.close, () => dialog.close()),
  )
  dialog.append(room, bar)

  function show(): void {
    const all = images()
    const at = all.indexOf(link)
    const name = link.title || link.querySelector('img')?.alt || pieceTexts.lightbox.image
    // The file is this server's, under whatever name the link calls it.
    image.src = link.pathname
    image.alt = name
    file.href = link.href
    title.textContent = name
    count.textContent = all.length > 1 ? pieceTexts.lightbox.position(at + 1, all.length) : ''
    previous.disabled = at <= 0
    next.disabled = at === all.length - 1
    dialog.setAttribute('aria-label', name)
    setScale(1)
  }
  function step(by: number): void {
    const all = images()
    const other = all[all.indexOf(current()) + by]
    if (!other) return
    link = other
    message = link.closest('article')?.id
    show()
  }
  /** The link to this image, which is another element once its message has changed. */
  function current(): HTMLAnchorElement {
    if (!link.isConnected)
      link = images().find((one) => one.href === link.href && one.closest('article')?.id === message) ?? link
    return link
  }
  const zoom = (by: number) => setScale(Math.min(MOST, Math.max(LEAST, scale * by)))
  /** At 1 the entire image is visible. Above 1 the view scrolls, and its center stays in place. */
  function setScale(to: number): void {
    const [x, y] = [room.scrollLeft + room.clientWidth / 2, room.scrollTop + room.clientHeight / 2]
    const by = to / scale
    scale = to
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
  image.addEventListener('load', () => setScale(1))
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
    const from = [current(), origin].find(({ isConnected }) => isConnected)
    if (!from) return document.getElementById('main-view')?.focus()
    from.scrollIntoView({ block: 'nearest' })
    from.focus({ preventScroll: true })
  })
  document.body.append(dialog)
  dialog.showModal()
  room.focus()
  show()
}

const images = () => [...document.querySelectorAll<HTMLAnchorElement>(IMAGES)]

const element = <N extends keyof HTMLElementTagNameMap>(
  name: N,
  properties: Partial<HTMLElementTagNameMap[N]>,
): HTMLElementTagNameMap[N] => Object.assign(document.createElement(name), properties)
