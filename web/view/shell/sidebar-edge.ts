import { afterFirstView } from '../parts/after-first-view.tsx'
// Sets the stored widths before the first frame.
import './widths.ts'

/** The edge of a sidebar, which changes its width. */
export const SidebarEdge = afterFirstView(async () => (await import('./resizer.tsx')).Resizer)
