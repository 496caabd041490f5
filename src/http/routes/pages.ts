import { getFrontPage } from '../pages/front-page.ts'
import type { Section } from '../route-types.ts'

/** Pages for people with a browser. A web client takes the place of this section. */
export const pageSection: Section = {
  tag: 'pages',
  routes: {
    '/': { GET: getFrontPage },
  },
}
