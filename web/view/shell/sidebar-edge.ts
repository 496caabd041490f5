import { afterFirstView } from '../parts/after-first-view.tsx'

/** The edge of a sidebar, which changes its width. */
export const SidebarEdge = afterFirstView(async () => (await import('./resizer.tsx')).Resizer)
