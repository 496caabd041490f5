import { address, home } from '../../model/state/route.ts'
import { Count } from './count.tsx'
import { Icon, type IconName } from './icon.tsx'

interface PlaceLinkProps {
  to: string
  icon: IconName
  label: string
  /** Unread messages. */
  count?: number
  /** Whether they concern the reader. */
  personal?: boolean
  /** A number that asks for nothing. */
  quiet?: number
}

/** The way to a view, in the list at the left. */
export function PlaceLink({ to, icon, label, count = 0, personal = false, quiet = 0 }: PlaceLinkProps) {
  const isHere = address.value === to || (to === home.value && address.value === '')
  return (
    <li>
      <a class="row" href={to} aria-current={isHere ? 'page' : undefined}>
        <Icon name={icon} />
        <span class="name">{label}</span>
        {quiet > 0 ? <span class="quiet number">{quiet}</span> : <Count of={count} personal={personal} />}
      </a>
    </li>
  )
}
