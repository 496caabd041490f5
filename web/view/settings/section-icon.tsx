import type { SectionName } from './sections.tsx'

const speech = 'M4 5h16v11H9l-5 4z'
const person = 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8z'

/** Of 24 × 24, like the icons of the page. A page without one doesn't compile. */
const paths: Readonly<Record<SectionName, string>> = {
  profile: `${person}M4 21a8 8 0 0 1 16 0`,
  account: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 12h9v4M17 12v3',
  sessions: 'M5 5h14v10H5zM2 19h20',
  display: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2',
  writing: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  notifications: 'M6 16v-5a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  words: `${speech}M12 8v3M12 13.5h.01`,
  muted: 'M4 10v4h3l5 4V6L7 10zM16 10l5 5M21 10l-5 5',
  bots: 'M5 9h14v10H5zM12 9V5M9 13h.01M15 13h.01M10 16h4',
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  users: 'M3 5h18v14H3zM9 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 16a3 3 0 0 1 6 0M15 10h3M15 14h3',
  groups:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5',
  invitations: 'M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21a8 8 0 0 1 12-6.9M19 14v6M16 17h6',
  newcomers: 'M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z',
  fields: 'M4 6h16M4 12h16M4 18h10',
  reports: 'M5 21V4h13l-3 4 3 4H5',
  filters: 'M4 5h16l-6 8v4l-4 3v-7z',
  organization: 'M5 21V4h10v17M15 9h4v12M3 21h18M8 8h4M8 12h4M8 16h4',
  permissions: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  messages: speech,
  folders: 'M3 6h7l2 2h9v11H3z',
  emoji: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 14a4.5 4.5 0 0 0 8 0M9 9.5h.01M15 9.5h.01',
  linkifiers: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  playgrounds: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  integrations: 'M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3',
  accounts: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z',
  domains: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  providers: 'M10 4h9v16h-9M4 12h10M11 8l4 4-4 4',
  mail: 'M3 6h18v13H3zM3 7l9 7 9-7',
  audit: 'M6 4h12v17H6zM9 9h6M9 13h6M9 17h3',
  exports: 'M12 4v11M7 10l5 5 5-5M4 20h16',
  imports: 'M12 15V4M7 9l5-5 5 5M4 20h16',
}

/** The icon of a page of settings. */
export const SectionIcon = ({ name }: { name: SectionName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
