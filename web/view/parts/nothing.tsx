import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface NothingProps {
  icon?: IconName
  children: ComponentChildren
}

/** Where there is nothing to list. */
export function Nothing({ icon = 'check', children }: NothingProps) {
  return (
    <div class="nothing">
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  )
}
