import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSession } from '../session-context.ts'
import { enliven } from './enliven.ts'
import { sanitized } from './sanitize.ts'

/** Rendered markup, such as the text of a message. */
export function Content({ html, class: name = '' }: { html: string; class?: string }) {
  const session = useSession()
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const fragment = sanitized(html)
    enliven(fragment, session)
    element.current!.replaceChildren(fragment)
  }, [html, session])
  return <div ref={element} class={`content ${name}`} dir="auto" />
}
