import type { ComponentChildren } from 'preact'
import { address } from '../../model/state/route.ts'
import { useSession } from '../session-context.ts'
import { Icon, type IconName } from './icon.tsx'
import { layoutOf } from './layout.ts'

interface EntryProps {
  icon: IconName
  label: string
}

/** A view; it is where the reader is unless an open list covers it. */
export const BarLink = ({ to, icon, label, children }: EntryProps & { to: string; children?: ComponentChildren }) => {
  const { drawer } = layoutOf(useSession())
  return (
    <a href={to} aria-current={!drawer.value && address.value === to ? 'page' : undefined}>
      <Icon name={icon} />
      {label}
      {children}
    </a>
  )
}

/** A list that covers the page when open. */
export const BarButton = ({ drawer, icon, label }: EntryProps & { drawer: 'left' | 'people' }) => {
  const layout = layoutOf(useSession())
  return (
    <button type="button" aria-expanded={layout.drawer.value === drawer} onClick={() => layout.toggleDrawer(drawer)}>
      <Icon name={icon} />
      {label}
    </button>
  )
}
