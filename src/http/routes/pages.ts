import { getFrontPage } from '../pages/front-page.ts'
import type { Section } from '../route-types.ts'

/** Pages for browsers. With a web client, its section replaces this one. */
export const pageSection: Section = {
  tag: 'pages',
  routes: {
    '/': { GET: getFrontPage },
  },
}
