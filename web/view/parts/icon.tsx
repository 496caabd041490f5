/** Icons of 24 × 24, drawn in the color of the surrounding text. */
const paths = {
  archive: 'M4 4h16v4H4zM6 8v12h12V8M10 12h4',
  at: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm4-4v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5',
  attach: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4L14.5 7',
  back: 'M15 5l-7 7 7 7',
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  check: 'M5 12l5 5 9-10',
  chevron: 'M9 6l6 6-6 6',
  sidebar: 'M4 5h16v14H4zM10 5v14',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  down: 'M12 5v14M6 13l6 6 6-6',
  eye: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  hash: 'M9 4L7 20M17 4l-2 16M4 9h17M3 15h17',
  inbox: 'M4 5h16v14H4zM4 13h5a3 3 0 0 0 6 0h5',
  italic: 'M10 5h7M7 19h7M14 5l-4 14',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  plus: 'M12 5v14M5 12h14',
  quote: 'M5 7h5v5c0 3-1 4-4 5M14 7h5v5c0 3-1 4-4 5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  send: 'M4 12L20 4l-4 16-4-7z',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
  smile: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 14a4.5 4.5 0 0 0 8 0M9 9.5h.01M15 9.5h.01',
  star: 'M12 4l2.5 5 5.5.8-4 3.9 1 5.5-5-2.6-5 2.6 1-5.5-4-3.9 5.5-.8z',
  video: 'M3 7h12v10H3zM15 11l6-4v10l-6-4',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg class={`icon icon-${name} ${filled ? 'filled' : ''}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
