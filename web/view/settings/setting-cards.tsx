import type { ComponentChildren } from 'preact'
import type { Setting } from './setting.ts'

interface CardsProps<S extends Setting> {
  settings: readonly S[]
  /** Content of the first card, before its settings. */
  first?: ComponentChildren
  /** The level of the titles; h3 on the pages of settings. */
  heading?: 'h2' | 'h3'
  children(setting: S): ComponentChildren
}

/** Settings in cards, one for each theme. */
export function SettingCards<S extends Setting>({ settings, first, heading = 'h3', children }: CardsProps<S>) {
  const themes = [...new Set(settings.map(({ theme }) => theme))]
  return (
    <>
      {themes.map((theme, i) => (
        <Card key={theme ?? ''} title={theme} Heading={heading}>
          {i === 0 && first && <div>{first}</div>}
          {settings.filter((setting) => setting.theme === theme).map(children)}
        </Card>
      ))}
    </>
  )
}

interface CardProps {
  title: string | undefined
  Heading: 'h2' | 'h3'
  children: ComponentChildren
}

const Card = ({ title, Heading, children }: CardProps) => (
  <div class="setting-card">
    {title && <Heading>{title}</Heading>}
    <div>{children}</div>
  </div>
)
