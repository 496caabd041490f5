import type { ComponentChildren } from 'preact'

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
