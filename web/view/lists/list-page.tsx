import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../parts/icon.tsx'

interface ListPageProps {
  title: ComponentChildren
  /** Content beside the title. */
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A page of rows under a title. */
export function ListPage({ title, actions, children }: ListPageProps) {
  return (
    <div class="list-page">
      <header class="page-header">
        <h1>{title}</h1>
        <span class="space" />
        {actions}
      </header>
      <div tabIndex={-1} class="scrolling list-content">
        {children}
      </div>
    </div>
  )
}

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
