interface Shown {
  src: string
  title: string
  /** Gets the focus back. */
  origin: HTMLElement
}

/** Shows an image as large as the page has room. */
export function openLightbox({ src, title, origin }: Shown): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'lightbox'
  dialog.setAttribute('aria-label', title)
  const image = Object.assign(document.createElement('img'), { src, alt: title })
  const bar = document.createElement('p')
  const original = Object.assign(document.createElement('a'), {
    href: src,
    target: '_blank',
    rel: 'noopener',
    textContent: 'Open the file',
  })
  const close = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Close' })
  bar.append(title, ' ', original, ' ', close)
  dialog.append(image, bar)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())
  dialog.addEventListener('close', () => {
    dialog.remove()
    origin.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
}
